import { InputProblem } from '../trace/problem.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { AnalysisResult, CheckReport, KnownViolation } from './result.ts';

/** Violations that are known already: they are hidden, and those that are gone can be told. */
export class Baseline {
  readonly #known = new Map<string, KnownViolation>();
  readonly #seen = new Set<string>();
  /** Analyses that ran, and whether they looked at every trace to its end. */
  readonly #complete = new Map<string, boolean>();

  /** `report` as it was saved by an earlier check, from `file`. */
  constructor(report: CheckReport, file: string) {
    for (const { analysis, trace, violations, known = 0 } of report.results) {
      if (known > 0) {
        throw new InputProblem('these results cannot be a baseline: they lack what another baseline hid', {
          file,
          found: `${known} hidden violations`,
          expected: 'what check --reporter json writes without --baseline',
        });
      }
      for (const violation of violations) {
        const fingerprint = fingerprintOf(analysis, violation);
        const same = this.#known.get(fingerprint);
        if (same === undefined)
          this.#known.set(fingerprint, { fingerprint, analysis, trace, count: 1, violation });
        else same.count++;
      }
    }
  }

  /** The same result without the violations that are known, and with their number. */
  hide(result: AnalysisResult): AnalysisResult {
    const { analysis, violations, complete, known = 0 } = result;
    this.#complete.set(analysis, complete && this.#complete.get(analysis) !== false);
    const fresh = violations.filter((violation) => {
      const fingerprint = fingerprintOf(analysis, violation);
      this.#seen.add(fingerprint);
      return !this.#known.has(fingerprint);
    });
    return { ...result, known: known + violations.length - fresh.length, violations: fresh };
  }

  /** What is known but was not found again, by analyses that looked at everything. */
  gone(): KnownViolation[] {
    return [...this.#known.values()].filter(
      ({ fingerprint, analysis }) => !this.#seen.has(fingerprint) && this.#complete.get(analysis) === true,
    );
  }
}

/** Whether a result has something to report: with a baseline, only what that does not know. */
export function isViolation({ verdict, violations, known = 0 }: AnalysisResult): boolean {
  return verdict === 'violation' && (violations.length > 0 || known === 0);
}
