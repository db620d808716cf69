import type {
  Analysis,
  AnalysisContext,
  AnalysisDescription,
  EventHandlers,
  ForkJoin,
} from '../analyses/analysis.ts';
import { loadAnalyses } from '../analyses/load.ts';
import { checkTrace } from '../check/check.ts';
import type { Specification } from '../spec/specification.ts';

/** What orders threads without being data. */
const ORDERS: readonly (keyof EventHandlers)[] = ['acquire', 'release', 'arrive', 'leave', 'send', 'receive'];

/**
 * The blocks, by the numbers of their begin events, that are not serializable by what they read and write alone. A block
 * that others only come in between by taking the same lock, and never touch its data, is none of them.
 */
export async function violatedByData(
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
