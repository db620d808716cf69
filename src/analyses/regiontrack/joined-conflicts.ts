const SETS = 32;

/**
 * Remembers, for pairs of threads, up to when the one has learnt everything from the other: a conflict with
 * anything earlier tells it nothing new and refutes nothing that was not refuted then. What does not fit is
 * forgotten, and learnt in vain once more.
 */
export class JoinedConflicts {
  readonly #from = new Int32Array(SETS * SETS).fill(-1);
  readonly #to = new Int32Array(SETS * SETS).fill(-1);
  readonly #time = new Int32Array(SETS * SETS);

  /** Whether `to` has learnt what `from` knew at `time`; if not, it is about to. */
  has(from: number, time: number, to: number): boolean {
    const at = (to % SETS) * SETS + (from % SETS);
    if (this.#from[at] === from && this.#to[at] === to && this.#time[at] >= time) return true;
    this.#from[at] = from;
    this.#to[at] = to;
    this.#time[at] = time;
    return false;
  }

  /** The number is going to be that of another thread, which has learnt nothing. */
  forget(to: number): void {
    const start = (to % SETS) * SETS;
    for (let at = start; at < start + SETS; at++) if (this.#to[at] === to) this.#to[at] = -1;
  }
}
