import { keyOf } from './baseline-file.ts';
import { fileOf, fingerprintOf } from './fingerprint.ts';
import type { AnalysisResult, KnownViolation, ViolationResult } from './result.ts';

/** Violations that are known already: they are told apart from new ones, and those that are gone can be told. */
export class Baseline {
  /** By `keyOf`. */
  readonly #known: ReadonlyMap<string, KnownViolation>;
  readonly #byFingerprint = new Map<string, KnownViolation[]>();
  /** The known ones that were found again, perhaps in another file. */
  readonly #seen = new Set<KnownViolation>();
  /** What was found in another file than before, by `keyOf`. */
  readonly #moved = new Map<string, KnownViolation>();
  /** What was found, known or not, by `keyOf`. */
  readonly #found = new Map<string, KnownViolation>();
  /** Analyses that ran, and whether they looked at every trace to its end. */
  readonly #complete = new Map<string, boolean>();

  constructor(known: readonly KnownViolation[]) {
    this.#known = new Map(known.map((one) => [keyOf(one), one]));
    for (const one of known) {
      const same = this.#byFingerprint.get(one.fingerprint);
      if (same === undefined) this.#byFingerprint.set(one.fingerprint, [one]);
      else same.push(one);
    }
  }

  /** The same result, with the violations that are known set apart. */
  hide(result: AnalysisResult): AnalysisResult {
    const { analysis, complete, known: before = 0, knownViolations = [] } = result;
    this.#complete.set(analysis, complete && this.#complete.get(analysis) !== false);
    const found = result.violations.map((violation) => this.#find(result, violation));
    const isKnown = found.map((one) => this.#lookUp(one));
    // What moved to another file is known only if it is not where it was.
    for (const [i, one] of found.entries()) isKnown[i] ||= this.#lookUpMoved(one);
    const fresh = result.violations.filter((_, i) => !isKnown[i]);
    const old = result.violations.filter((_, i) => isKnown[i]);
    return {
      ...result,
      known: before + old.length,
      knownViolations: [...knownViolations, ...old],
      violations: fresh,
    };
  }

  #find(result: AnalysisResult, violation: ViolationResult): KnownViolation {
    const { analysis, trace } = result;
    const fingerprint = fingerprintOf(result, violation);
    const one = { fingerprint, analysis, trace, file: fileOf(violation), count: 1, violation };
    const same = this.#found.get(keyOf(one));
    if (same !== undefined) return same;
    this.#found.set(keyOf(one), one);
    return one;
  }

  #lookUp(one: KnownViolation): boolean {
    const known = this.#known.get(keyOf(one));
    if (known !== undefined) this.#seen.add(known);
    return known !== undefined;
  }

  #lookUpMoved(one: KnownViolation): boolean {
    const key = keyOf(one);
    const candidates = this.#byFingerprint.get(one.fingerprint) ?? [];
    const moved = this.#moved.get(key) ?? candidates.find((known) => !this.#seen.has(known));
    if (moved === undefined) return false;
    this.#moved.set(key, moved);
    this.#seen.add(moved);
    return true;
  }

  /** What is known but was not found again, by analyses that looked at everything. */
  gone(): KnownViolation[] {
    return [...this.#known.values()].filter(
      (known) => !this.#seen.has(known) && this.#complete.get(known.analysis) === true,
    );
  }

  /** The baseline as it should be from now on; `isWhole` if everything was checked that there is. */
  updated(isWhole: boolean): { known: KnownViolation[]; added: number; removed: number } {
    const gone = new Set(isWhole ? this.gone() : []);
    const unseen = [...this.#known.values()].filter((known) => !this.#seen.has(known) && !gone.has(known));
    const known = [...this.#found.values(), ...unseen];
    const kept = this.#known.size - gone.size;
    return { known, added: known.length - kept, removed: gone.size };
  }
}
