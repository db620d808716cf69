import type { AnalysisResult, Severity, Tool, ViolationResult } from '../check/result.ts';
import { jsonPart } from './json-text.ts';
import { grouped } from './layout.ts';
import { runsSummary } from './program-runs.ts';
import type { Report, ReportEnd, Reporter } from './reporter.ts';
import { RULES } from './rules.ts';
import {
  type BaselineState,
  errorNotification,
  notification,
  resultObject,
  ruleObject,
} from './sarif-objects.ts';

/** For code scanning: SARIF 2.1.0, one run with everything that was found. */
export const sarif: Reporter = {
  name: 'sarif',
  summary: 'SARIF 2.1.0, for code scanning and editors',
  start: ({ tool }) => new SarifReport(tool),
};

/** What GitHub takes of one run; a document with more is refused as a whole. */
const MOST_RESULTS = 25_000;

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

class SarifReport implements Report {
  readonly #tool: Tool;
  readonly #notifications: object[] = [];
  #begun = false;
  #results = 0;
  #leftOut = 0;
  #failed = false;

  constructor(tool: Tool) {
    this.#tool = tool;
  }

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    yield* this.#head();
    const [first] = results;
    if (first?.error !== undefined) {
      this.#failed = true;
      this.#notifications.push(errorNotification(first.trace, first.error));
    }
    // Errors first, in case not all fit, and what is known last.
    for (const severity of SEVERITIES) {
      for (const result of results) {
        const state = result.known === undefined ? null : 'new';
        for (const violation of result.violations)
          if (violation.severity === severity) yield* this.#result(result, violation, state);
      }
    }
    for (const result of results)
      for (const violation of result.knownViolations ?? [])
        yield* this.#result(result, violation, 'unchanged');
  }

  *finish({ runs = [] }: ReportEnd = {}): Generator<string> {
    yield* this.#head();
    this.#notifications.push(...runsSummary(runs).map((line) => notification('note', line)));
    yield this.#results === 0 ? '],\n' : '\n      ],\n';
    if (this.#leftOut > 0) {
      const said = `${grouped(this.#leftOut)} more violations are left out, as a run holds ${grouped(MOST_RESULTS)} at most; --reporter json lists every one`;
      this.#notifications.push(notification('warning', said));
    }
    const invocation = {
      executionSuccessful: !this.#failed,
      toolExecutionNotifications: this.#notifications,
    };
    yield `      "invocations": ${jsonPart([invocation], 3)}\n    }\n  ]\n}\n`;
  }

  *#head(): Generator<string> {
    if (this.#begun) return;
    this.#begun = true;
    const { name, version } = this.#tool;
    const driver = { name, version, semanticVersion: version, rules: RULES.map(ruleObject) };
    yield `{
  "$schema": "${SCHEMA}",
  "version": "2.1.0",
  "runs": [
    {
      "tool": ${jsonPart({ driver }, 3)},
      "columnKind": "utf16CodeUnits",
      "results": [`;
  }

  *#result(result: AnalysisResult, violation: ViolationResult, state: BaselineState): Generator<string> {
    if (this.#results === MOST_RESULTS) {
      this.#leftOut++;
      return;
    }
    yield `${this.#results++ === 0 ? '' : ','}\n        ${jsonPart(resultObject(result, violation, state), 4)}`;
  }
}
