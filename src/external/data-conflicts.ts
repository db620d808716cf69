import type {
  Analysis,
  AnalysisContext,
  AnalysisDescription,
  EventHandlers,
  ForkJoin,
} from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import { checkTrace } from '../check/check.ts';
import type { AnalysisResult, ViolationResult } from '../check/result.ts';
import type { Specification } from '../spec/specification.ts';

/** What orders threads without being data. */
const ORDERS: readonly (keyof EventHandlers)[] = ['acquire', 'release', 'arrive', 'leave', 'send', 'receive'];

/**
 * The blocks, by the numbers of their begin events, that are not serializable by what they read and write alone. A block
 * that others only come in between by taking the same lock, and never touch its data, is none of them.
 */
async function violatedByData(
  trace: string,
  specification: Specification,
  forkJoin: ForkJoin,
): Promise<ReadonlySet<number>> {
  const analyses = (await loadAnalyses('regiontrack', forkJoin)).map(withoutLocks);
  const { runs } = await checkTrace(trace, {
    analyses,
    specification,
    forkJoin,
    first: false,
    lenient: true,
    format: 'trk',
  });
  return new Set(runs.flatMap(({ violations }) => violations.map(({ block }) => block?.begin ?? 0)));
}

function withoutLocks(description: AnalysisDescription): AnalysisDescription {
  return {
    ...description,
    create(context: AnalysisContext): Analysis {
      const analysis = description.create(context);
      for (const name of ORDERS) Object.defineProperty(analysis, name, { value: () => {} });
      return analysis;
    },
  };
}

/** Leaves out the blocks that nobody did anything to but take a lock of theirs in between. */
export async function withoutLocksAlone(
  results: AnalysisResult[],
  trace: string,
  { specification, forkJoin }: { specification: Specification; forkJoin: ForkJoin },
): Promise<AnalysisResult[]> {
  const isOpen = ({ predictive, violations }: AnalysisResult) => !predictive && violations.some(isByCycle);
  if (!results.some(isOpen)) return results;
  const byData = await violatedByData(trace, specification, forkJoin);
  return results.map((result) => {
    if (!isOpen(result)) return result;
    return withViolations(
      result,
      (violation) => !isByCycle(violation) || byData.has(violation.block?.begin ?? 0),
    );
  });
}

/** With the violations for which `isMeant` holds. */
export function withViolations(
  result: AnalysisResult,
  isMeant: (violation: ViolationResult) => boolean,
): AnalysisResult {
  const violations = result.violations.filter(isMeant);
  const verdict = violations.length === 0 && result.verdict === 'violation' ? 'ok' : result.verdict;
  return { ...result, violations, verdict };
}

/** Whether no two accesses to one variable with another one between them are known that violate the block. */
function isByCycle({ kind, block, interference }: ViolationResult): boolean {
  return kind === 'transaction' && block !== null && !interference;
}
