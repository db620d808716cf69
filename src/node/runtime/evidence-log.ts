import type { StoreEvidence } from '../../trace/evidence.ts';

/** What orders accesses to stores among those of other processes, by entries of the log until those are handed over. */
export class EvidenceLog {
  /** Only where several processes may come to the same store. */
  isOn = false;
  /** How many steps there were. */
  steps = 0;
  readonly #noted = new Map<number, StoreEvidence>();

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
