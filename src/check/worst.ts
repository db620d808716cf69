import { isViolation } from './baseline.ts';
import type { AnalysisResult, Severity } from './result.ts';

/** The worst of what results have to report; null if that is nothing. */
export function worstOf(results: readonly AnalysisResult[]): Severity | null {
  const isError = ({ violations }: AnalysisResult) => violations.some(({ severity }) => severity === 'error');
  if (results.some(isError)) return 'error';
  return results.some(isViolation) ? 'warning' : null;
}

/** From what on a run fails: a severity, or only what was proved to do harm. */
export type FailOn = Severity | 'proved';

/** Whether results are bad enough for a run to fail. */
export function isFailing(results: readonly AnalysisResult[], failOn: FailOn): boolean {
  if (failOn === 'proved')
    return results.some(({ violations }) => violations.some(({ proof }) => proof?.verdict === 'harmful'));
  const worst = worstOf(results);
  return worst === 'error' || worst === failOn;
}
