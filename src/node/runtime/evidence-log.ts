import type { StoreEvidence } from '../../trace/evidence.ts';

/** What orders accesses to stores among those of other processes, by entries of the log until those are handed over. */
export class EvidenceLog {
  #isOn = false;
  #whenOn: (() => void) | null = null;
  /** The call of another process that has come in as a request; null if it is none. */
  callOf: (message: object) => string | null = () => null;
  /** How many steps there were. */
  steps = 0;
  readonly #noted = new Map<number, StoreEvidence>();

  /** Only where several processes may come to the same store. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Another process is going to be watched, too. */
  turnOn(): void {
    this.#isOn = true;
    this.#whenOn?.();
    this.#whenOn = null;
  }

  whenOn(run: () => void): void {
    if (this.#isOn) run();
    else this.#whenOn = run;
  }

  note(entry: number, evidence: StoreEvidence): void {
    this.#noted.set(entry, evidence);
  }

  /** It is forgotten. */
  take(entry: number): StoreEvidence | null {
    if (this.#noted.size === 0) return null;
    const evidence = this.#noted.get(entry);
    if (evidence === undefined) return null;
    this.#noted.delete(entry);
    return evidence;
  }
}
