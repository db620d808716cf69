import type { AnalysisResult, Severity, ViolationResult } from './result.ts';
import { worstOf } from './worst.ts';

/*
 * The one rule of `--fail-on`, for exit codes, reports and test plugins alike. Unless it says otherwise, a program that was run
 * fails for errors only: its warnings are for people to weigh. A trace that was checked fails for every violation, as to know of
 * those is what a trace is checked for.
 */

/** What a result fails for: the mildest severity, or only what was proved to do harm. */
export type FailOn = Severity | 'proved';

export function thresholdOf({ origin }: Pick<AnalysisResult, 'origin'>, failOn: FailOn | undefined): FailOn {
  return failOn ?? (origin === undefined ? 'warning' : 'error');
}

/** Whether a violation makes its result fail. */
export function isFailing(
  { severity, proof }: Pick<ViolationResult, 'severity' | 'proof'>,
  result: Pick<AnalysisResult, 'origin'>,
  failOn: FailOn | undefined,
): boolean {
  const threshold = thresholdOf(result, failOn);
  if (threshold === 'proved') return proof?.verdict === 'harmful';
  return severity === 'error' || severity === threshold;
}

export function areFailing(results: readonly AnalysisResult[], failOn: FailOn | undefined): boolean {
  return results.some((result) => {
    if (failOn === 'proved') return result.violations.some((each) => isFailing(each, result, failOn));
    const severity = worstOf([result]);
    return severity !== null && isFailing({ severity }, result, failOn);
  });
}
