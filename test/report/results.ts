import { jsonViolation } from '../../src/check/json-results.ts';
import { parseOperation } from '../../src/check/operation-text.ts';
import type { AnalysisResult, EventResult, ViolationResult } from '../../src/check/result.ts';
import type { Report, Reporter, ReportOptions } from '../../src/report/reporter.ts';
import { PLAIN } from '../../src/report/style.ts';

/* Results as a check would give them, for tests of reporters: only what a test is about has to be said. */

export const TOOL = { name: 'trackside', version: '1.2.3' } as const;

export function event(
  number: number,
  thread: string,
  operation: string,
  location: string | null = null,
): EventResult {
  const parsed = parseOperation(operation);
  if (parsed === null) throw new Error(`what is ${operation}?`);
  return { event: number, thread, ...parsed, location };
}

/** A result as the JSON report has it. */
export function inJson<R extends Pick<AnalysisResult, 'violations'>>(result: R): object {
  return { ...result, violations: result.violations.map(jsonViolation) };
}

/** The lost update of `pay`: `T0` reads at event 2, `T1` writes at 3, `T0` writes at 4. */
export function violation(changes: Partial<ViolationResult> = {}): ViolationResult {
  const first = event(2, 'T0', 'r(balance)', 'Bank.java:12');
  const between = event(3, 'T1', 'w(balance)', 'Bank.java:20');
  const last = event(4, 'T0', 'w(balance)', 'Bank.java:14');
  return {
    kind: 'transaction',
    severity: 'error',
    pattern: 'lost-update',
    event: 4,
    thread: 'T0',
    block: { label: 'pay', begin: 1, end: 5 },
    cycle: [
      { from: first, to: between },
      { from: between, to: last },
    ],
    interference: { first, between, last },
    related: [],
    message: 'pay (thread T0) is not atomic',
    ...changes,
  };
}

export function result(changes: Partial<AnalysisResult> = {}): AnalysisResult {
  const violations = changes.violations ?? [];
  return {
    trace: 'run.std',
    analysis: 'regiontrack',
    verdict: violations.length > 0 ? 'violation' : 'ok',
    serializable: violations.length === 0,
    predictive: false,
    assumptions: [],
    firstEvent: violations[0]?.event ?? null,
    events: 1234,
    complete: true,
    format: 'std',
    blocks: { checked: 12, leftOut: 0 },
    repairs: [],
    milliseconds: { analysis: 3, total: 20 },
    allocatedBytes: null,
    statistics: {},
    violations,
    ...changes,
  };
}

/** What a reporter writes about traces, each with its results. */
export function rendered(
  reporter: Reporter,
  traces: readonly (readonly AnalysisResult[])[],
  options: Partial<ReportOptions> = {},
): string {
  const report: Report = reporter.start({ tool: TOOL, style: PLAIN, width: 80, ...options });
  return [...traces.flatMap((results) => [...report.trace(results)]), ...report.finish()].join('');
}
