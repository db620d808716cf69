import { type FailOn, isFailing } from '../check/failing.ts';
import type { AnalysisResult, RunResult, ViolationResult } from '../check/result.ts';
import { scheduleWords } from '../check/schedules.ts';
import { adviceFor } from './advice/index.ts';
import type { Origin } from './event-words.ts';
import { interleaving } from './interleaving.ts';
import { counted, hanging } from './layout.ts';
import { titleOf } from './program-runs.ts';
import type { Report, ReportEnd, Reporter } from './reporter.ts';
import { ruleOf } from './rules.ts';
import { type Group, groupedByLabel } from './violation-groups.ts';
import { headline } from './violation-text.ts';
import { shown } from './well-formed-text.ts';
import { escapedXml, xmlAttributes } from './xml.ts';

/** For test dashboards: JUnit's XML, a suite for each trace, a test for each analysis or violated block. */
export const junit: Reporter = {
  name: 'junit',
  summary: "JUnit's XML, for test dashboards",
  start: ({ width, failOn }) => new JunitReport(width, failOn),
};

const MESSAGE = 2000;

class JunitReport implements Report {
  readonly #width: number;
  readonly #failOn: FailOn | undefined;
  #begun = false;

  constructor(width: number, failOn: FailOn | undefined) {
    this.#width = width;
    this.#failOn = failOn;
  }

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    yield* this.#head();
    const [first] = results;
    if (first === undefined) return;
    const groups = results.map(({ violations }) => groupedByLabel(violations));
    const all = groups.reduce((sum, { length }) => sum + length, 0);
    const failures = results.reduce(
      (sum, result, i) => sum + groups[i].filter(({ example }) => this.#fails(example, result)).length,
      0,
    );
    const errors = results.filter(({ error }) => error !== undefined).length;
    // An analysis that found nothing is a test by itself, and so is one that could not finish.
    const tests =
      all + results.filter(({ error }, i) => error !== undefined || groups[i].length === 0).length;
    const time = seconds(first.milliseconds.total);
    yield `  <testsuite${xmlAttributes({ name: titleOf(first), tests, failures, errors, time })}>\n`;
    for (const [i, result] of results.entries()) yield* this.#tests(result, groups[i]);
    yield '  </testsuite>\n';
  }

  *finish({ runs = [] }: ReportEnd = {}): Generator<string> {
    yield* this.#head();
    yield* silentRuns(runs);
    yield '</testsuites>\n';
  }

  *#head(): Generator<string> {
    if (this.#begun) return;
    this.#begun = true;
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="trackside">\n';
  }

  #fails(violation: ViolationResult, result: AnalysisResult): boolean {
    return isFailing(violation, result, this.#failOn);
  }

  *#tests(result: AnalysisResult, groups: readonly Group[]): Generator<string> {
    const { trace, analysis, error, milliseconds, origin, schedule } = result;
    const classname = titleOf({ trace, schedule });
    const name = shown(analysis);
    const time = seconds(milliseconds.analysis);
    if (error !== undefined) {
      yield `    <testcase${xmlAttributes({ classname, name, time })}>\n`;
      yield `      <error${xmlAttributes({ message: shown(error.summary, MESSAGE), type: 'trace' })}>`;
      yield `${escapedXml(shown(error.message, MESSAGE))}</error>\n    </testcase>\n`;
    } else if (groups.length === 0) {
      yield `    <testcase${xmlAttributes({ classname, name, time })}/>\n`;
    }
    for (const { example, count } of groups) {
      const subject = example.block === null ? example.kind : shown(example.block.label);
      yield `    <testcase${xmlAttributes({ classname, name: `${name}: ${subject}` })}>\n`;
      yield* this.#fails(example, result)
        ? this.#failure(example, count, origin)
        : this.#remark(example, count, origin);
      yield '    </testcase>\n';
    }
  }

  *#failure(violation: ViolationResult, count: number, origin: Origin): Generator<string> {
    const type = `${violation.severity}: ${ruleOf(violation).id}`;
    yield `      <failure${xmlAttributes({ message: shown(headline(violation, origin), MESSAGE), type })}>`;
    yield `${this.#told(violation, count, origin)}</failure>\n`;
  }

  /** Of what is no reason to fail: the test passes, and says so. */
  *#remark(violation: ViolationResult, count: number, origin: Origin): Generator<string> {
    const head = `${violation.severity}, not failing: ${shown(headline(violation, origin), MESSAGE)}`;
    yield `      <system-out>${escapedXml(head)}\n${this.#told(violation, count, origin)}</system-out>\n`;
  }

  #told(violation: ViolationResult, count: number, origin: Origin): string {
    const { why, fix } = adviceFor(violation, origin);
    const lines = [
      shown(violation.message, MESSAGE),
      '',
      ...interleaving(violation, this.#width, origin),
      '',
    ];
    if (why !== null) lines.push(...hanging(`why: ${shown(why, MESSAGE)}`, this.#width).split('\n'));
    lines.push(...hanging(`fix: ${shown(fix, MESSAGE)}`, this.#width).split('\n'));
    if (count > 1) lines.push('', `and ${counted(count - 1, 'more violation')} of the same block`);
    return lines.map(escapedXml).join('\n').trim();
  }
}

/** A suite of tests that passed, one for each run in which nothing was found. */
function* silentRuns(runs: readonly RunResult[]): Generator<string> {
  const silent = runs.filter(({ outcome }) => outcome === 'silent');
  if (silent.length === 0) return;
  const counts = { tests: silent.length, failures: 0, errors: 0 };
  yield `  <testsuite${xmlAttributes({ name: 'silent runs', ...counts })}>\n`;
  for (const { trace, schedule } of silent)
    yield `    <testcase${xmlAttributes({ classname: shown(trace), name: scheduleWords(schedule) })}/>\n`;
  yield '  </testsuite>\n';
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
