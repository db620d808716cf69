import type { AnalysisResult, ViolationResult } from './result.ts';

/** What one analysis said about a trace, beside what the exact one said. */
export interface ComparedResult {
  result: AnalysisResult;
  /** Violated blocks that it did not blame; null where it blames none or there is nothing to compare with. */
  missed: readonly ViolationResult[] | null;
  /** Blocks that it blamed and that are not violated. */
  wronglyBlamed: readonly ViolationResult[] | null;
}

/** The analysis that finds exactly the violated blocks (SEMANTICS, "What every exact checker must give"). */
const REFERENCE = 'regiontrack';

/** Puts the results of several analyses on one trace side by side, as in RegionTrack's Tables 2 and 3. */
export function compareResults(results: readonly AnalysisResult[]): ComparedResult[] {
  const reference = results.find(({ analysis }) => analysis === REFERENCE);
  const violated = reference === undefined ? null : blamed(reference);
  return results.map((result) => {
    const own = blamed(result);
    const blamesNobody = own.size === 0 && result.violations.length > 0;
    if (violated === null || result === reference || result.serializable === null || blamesNobody) {
      return { result, missed: null, wronglyBlamed: null };
    }
    return { result, missed: without(violated, own), wronglyBlamed: without(own, violated) };
  });
}

/**
 * The blocks that an analysis says are not serializable by themselves. Where forks and joins are boundaries,
 * the pieces of nested blocks begin at one event, so the label is needed as well to tell them apart.
 */
function blamed(result: AnalysisResult): Map<string, ViolationResult> {
  const blocks = new Map<string, ViolationResult>();
  for (const violation of result.violations) {
    const { kind, block } = violation;
    if (kind === 'transaction' && block !== null) blocks.set(`${block.begin} ${block.label}`, violation);
  }
  return blocks;
}

function without(
  blocks: ReadonlyMap<string, ViolationResult>,
  others: ReadonlyMap<string, ViolationResult>,
): ViolationResult[] {
  return [...blocks].filter(([key]) => !others.has(key)).map(([, violation]) => violation);
}
