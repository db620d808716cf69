import { jsonKnown, jsonViolation } from '../check/json-results.ts';
import type { AnalysisResult, CheckReport } from '../check/result.ts';
import { jsonPart, jsonText } from './json-text.ts';
import type { Report, ReportEnd, Reporter } from './reporter.ts';

/** The document of `--reporter json`: a tool and its results, as `check/json-results.ts` writes them. */
export const json: Reporter = {
  name: 'json',
  summary: 'one JSON document with everything that was found',
  showsSubtraces: true,
  start: ({ tool, run, parts }) => new JsonReport({ tool, ...(run === undefined ? {} : { run }), ...parts }),
};

/** Written piece by piece: a million violations make a document longer than any string may be. */
class JsonReport implements Report {
  readonly #about: Omit<CheckReport, 'results' | 'runs' | 'whatIf' | 'fixed'>;
  #results = 0;

  constructor(about: Omit<CheckReport, 'results' | 'runs' | 'whatIf' | 'fixed'>) {
    this.#about = about;
  }

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    for (const result of results) {
      yield this.#results === 0 ? `${this.#head()}\n    ` : ',\n    ';
      yield* this.#result(result);
      this.#results++;
    }
  }

  *finish({ fixed, runs, whatIf }: ReportEnd = {}): Generator<string> {
    yield this.#results === 0 ? `${this.#head()}]` : '\n  ]';
    if (runs !== undefined) yield `,\n  "runs": ${jsonPart(runs, 1)}`;
    if (whatIf !== undefined) yield `,\n  "whatIf": ${jsonPart(whatIf, 1)}`;
    if (fixed !== undefined) yield `,\n  "fixed": ${jsonPart(fixed.map(jsonKnown), 1)}`;
    yield '\n}\n';
  }

  #head(): string {
    // `results` comes behind what is known beforehand.
    const about = jsonText(this.#about);
    return `${about.slice(0, about.lastIndexOf('\n'))},\n  "results": [`;
  }

  *#result(result: AnalysisResult): Generator<string> {
    const { violations, knownViolations: known, ...more } = result;
    const rest = known === undefined ? more : { ...more, knownViolations: known.map(jsonViolation) };
    // `violations` comes last, so that its members can follow one by one.
    const head = jsonPart(rest, 2);
    yield `${head.slice(0, head.lastIndexOf('\n'))},\n      "violations": [`;
    for (const [i, violation] of violations.entries()) {
      yield `${i === 0 ? '' : ','}\n        ${jsonPart(jsonViolation(violation), 4)}`;
    }
    yield violations.length === 0 ? ']\n    }' : '\n      ]\n    }';
  }
}
