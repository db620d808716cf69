import type { AnalysisResult, RunResult, ViolationResult } from '../check/result.ts';
import { scheduleWords } from '../check/schedules.ts';
import type { Origin } from './event-words.ts';
import { interleaving } from './interleaving.ts';
import { counted } from './layout.ts';
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
  start: ({ width }) => new JunitReport(width),
};

const MESSAGE = 2000;

class JunitReport implements Report {
  readonly #width: number;
  #begun = false;

  constructor(width: number) {
    this.#width = width;
  }

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    yield* this.#head();
    const [first] = results;
    if (first === undefined) return;
    const groups = results.map(({ violations }) => groupedByLabel(violations));
    const failures = groups.reduce((sum, { length }) => sum + length, 0);
    const errors = results.filter(({ error }) => error !== undefined).length;
    // An analysis that found nothing is a test by itself, and so is one that could not finish.
    const tests =
      failures + results.filter(({ error }, i) => error !== undefined || groups[i].length === 0).length;
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

  *#tests(
    { trace, analysis, error, milliseconds, origin, schedule }: AnalysisResult,
    groups: readonly Group[],
  ): Generator<string> {
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
      yield* this.#failure(example, count, origin);
      yield '    </testcase>\n';
    }
  }

  *#failure(violation: ViolationResult, count: number, origin: Origin): Generator<string> {
    const type = `${violation.severity}: ${ruleOf(violation).id}`;
    yield `      <failure${xmlAttributes({ message: shown(headline(violation, origin), MESSAGE), type })}>`;
    const lines = [shown(violation.message, MESSAGE), '', ...interleaving(violation, this.#width, origin)];
    if (count > 1) lines.push('', `and ${counted(count - 1, 'more violation')} of the same block`);
    yield `${lines.map(escapedXml).join('\n').trim()}</failure>\n`;
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
