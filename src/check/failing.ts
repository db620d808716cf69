import type { AnalysisResult, Severity } from './result.ts';
import { worstOf } from './worst.ts';

/*
 * The one rule of `--fail-on`, for exit codes, reports and test plugins alike. Unless it says otherwise, a program that was run
 * fails for errors only: its warnings are for people to weigh. A trace that was checked fails for every violation, as to know of
 * those is what a trace is checked for.
 */

/** The mildest severity that a result fails for. */
export function thresholdOf(
  { origin }: Pick<AnalysisResult, 'origin'>,
  failOn: Severity | undefined,
): Severity {
  return failOn ?? (origin === undefined ? 'warning' : 'error');
}

/** Whether something of this severity makes a result fail. */
export function isFailing(
  severity: Severity,
  result: Pick<AnalysisResult, 'origin'>,
  failOn: Severity | undefined,
): boolean {
  return severity === 'error' || severity === thresholdOf(result, failOn);
}

export function areFailing(results: readonly AnalysisResult[], failOn: Severity | undefined): boolean {
  return results.some((result) => {
    const worst = worstOf([result]);
    return worst !== null && isFailing(worst, result, failOn);
  });
}
