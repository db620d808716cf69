import type {
  AnalysisResult,
  CycleEventResult,
  KnownViolation,
  ViolationResult,
} from '../../src/check/result.ts';
import { html } from '../../src/report/html.ts';
import type { ReportOptions } from '../../src/report/reporter.ts';
import { PLAIN } from '../../src/report/style.ts';
import { traceParts } from '../../src/view/trace-parts.ts';
import { temporaryFolder } from '../cli/run.ts';
import { event, result, TOOL, violation } from '../report/results.ts';

/* Pages for the tests that look at them in a browser. */

interface PageFolder {
  /** A page with these results, each of a trace of its own; with a baseline, also with what is gone. */
  report(name: string, ...content: (AnalysisResult | { fixed: KnownViolation[] })[]): string;
  /** The same, with these options of the report. */
  reportWith(name: string, options: Partial<ReportOptions>, ...results: AnalysisResult[]): string;
  /** A page with a trace, given as STD, and what was found in it. */
  trace(name: string, std: string, violations?: ViolationResult[]): Promise<string>;
}

/** Writes pages as files of a folder that is gone after the tests. */
export function pageFolder(): PageFolder {
  const folder = temporaryFolder();
  return {
    report(name, ...content) {
      const report = startedReport();
      const pieces = content.flatMap((one) => ('fixed' in one ? [] : [...report.trace([one])]));
      const fixed = content.flatMap((one) => ('fixed' in one ? one.fixed : []));
      return folder.write(name, [...pieces, ...report.finish({ fixed })].join(''));
    },
    reportWith(name, options, ...results) {
      const report = startedReport(options);
      return folder.write(name, [...report.trace(results), ...report.finish()].join(''));
    },
    async trace(name, std, violations = []) {
      const trace = folder.write(`${name}.std`, std);
      const total = std.trimEnd().split('\n').length;
      const report = startedReport();
      const pieces = [...report.trace([result({ trace, events: total, violations })])];
      for await (const part of traceParts(trace, { format: 'std', total, from: 1, to: total }))
        pieces.push(part);
      pieces.push(...report.finish());
      return folder.write(`${name}.html`, pieces.join(''));
    },
  };
}

const startedReport = (options: Partial<ReportOptions> = {}) =>
  html.start({ tool: TOOL, style: PLAIN, width: 80, ...options });

const pay = { label: 'pay', begin: 1 };
const inPay = (number: number, op: string, line: number): CycleEventResult => ({
  ...event(number, 'T0', op, `Bank.java:${line}`),
  transaction: pay,
});
const between = { ...event(3, 'T1', 'w(balance)', 'Bank.java:20'), transaction: null };

/** `T0` reads and writes in `pay`, `T1` writes between; with the lines of source. */
export const LOST = violation({
  cycle: [
    { from: inPay(2, 'r(balance)', 12), to: between },
    { from: between, to: inPay(4, 'w(balance)', 14) },
  ],
  subtrace: {
    trace:
      'T0|begin(pay)|Bank.java:11\nT0|r(balance)|Bank.java:12\nT1|w(balance)|Bank.java:20\nT0|w(balance)|Bank.java:14\nT0|end(pay)|Bank.java:15\n',
    events: [1, 2, 3, 4, 5],
    event: 4,
    minimal: true,
  },
});

export const BANK_SOURCE = {
  path: 'Bank.java',
  excerpts: [
    {
      firstLine: 10,
      lines: [
        '  void pay(long amount) {',
        '    synchronized (this) {}',
        '    long before = balance;',
        '    log.info("paying");',
        '    balance = before - amount;',
        '  }',
        '',
        '  void salary() {',
        '    // on the first of the month',
        '    long more = 1000;',
        '    balance += more;',
        '  }',
      ],
    },
  ],
};

/** Something else that is wrong: with another pattern, severity and block. */
export const AUDIT: ViolationResult = violation({
  severity: 'warning',
  pattern: 'unrepeatable-read',
  event: 9,
  thread: 'T2',
  block: { label: 'audit', begin: 6, end: 10 },
  cycle: [
    {
      from: event(7, 'T2', 'r(total)', 'Audit.java:3'),
      to: event(8, 'T1', 'w(total)', 'Audit.java:30'),
    },
    {
      from: event(8, 'T1', 'w(total)', 'Audit.java:30'),
      to: event(9, 'T2', 'r(total)', 'Audit.java:5'),
    },
  ],
  interference: {
    first: event(7, 'T2', 'r(total)', 'Audit.java:3'),
    between: event(8, 'T1', 'w(total)', 'Audit.java:30'),
    last: event(9, 'T2', 'r(total)', 'Audit.java:5'),
  },
  message: 'audit (thread T2) read two values of total',
});

export const BANK = result({ violations: [LOST, AUDIT], sources: [BANK_SOURCE] });
