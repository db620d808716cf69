import { grownFloat64 } from '../../trace/growable.ts';
import { EMPTY, type Locksets } from '../shared/locksets.ts';

/* The states of a variable (Eraser §2.2). One that nobody accessed is virgin. */
const VIRGIN = 0;
const EXCLUSIVE = 1;
const SHARED = 2;
const SHARED_MODIFIED = 3;

/** The state of a variable that was reported. */
const REPORTED = -1;

/* The four cells of a variable. */
/** The thread that accessed it last · 4 + its state; `REPORTED` for good. */
const STATE = 0;
/** Its candidate set; -n if that is empty since event n. */
const CANDIDATES = 1;
/** The last access, and the last one before it that was of another thread. */
const LAST = 2;
const LAST_OF_OTHER = 3;
const WIDTH = 4;

/**
 * The locks that may protect each variable: those that were held at every access since a second thread came
 * to it. As long as one thread has it to itself, it may set it up without any lock; as long as all others only
 * read, no lock is needed either.
 */
export class CandidateSets {
  readonly #locksets: Locksets;
  #cells = new Float64Array(256 * WIDTH);

  constructor(locksets: Locksets) {
    this.#locksets = locksets;
  }

  /** Whether the thread has the variable to itself; notes the access if so. */
  isOwn(thread: number, variable: number, event: number): boolean {
    const at = variable * WIDTH;
    if (at >= this.#cells.length) this.#cells = grownFloat64(this.#cells, at + WIDTH);
    const cells = this.#cells;
    const state = cells[at + STATE];
    if (state !== VIRGIN && state !== thread * 4 + EXCLUSIVE) return false;
    cells[at + STATE] = thread * 4 + EXCLUSIVE;
    cells[at + LAST] = event;
    return true;
  }

  isReported(variable: number): boolean {
    return this.#cells[variable * WIDTH + STATE] === REPORTED;
  }

  /**
   * Takes note of an access by a thread that does not have the variable to itself and holds the locks in `held`.
   * Whether there is now a thread that may write while no lock protects the variable.
   */
  access(thread: number, variable: number, held: number, isWrite: boolean, event: number): boolean {
    const cells = this.#cells;
    const at = variable * WIDTH;
    const before = cells[at + STATE] & 3;
    const state = isWrite || before === SHARED_MODIFIED ? SHARED_MODIFIED : SHARED;
    if (cells[at + STATE] >> 2 !== thread) cells[at + LAST_OF_OTHER] = cells[at + LAST];
    cells[at + LAST] = event;
    cells[at + STATE] = thread * 4 + state;
    if (cells[at + CANDIDATES] >= 0) {
      const candidates =
        before === EXCLUSIVE ? held : this.#locksets.intersection(cells[at + CANDIDATES], held);
      cells[at + CANDIDATES] = candidates === EMPTY ? -event : candidates;
    }
    return state === SHARED_MODIFIED && cells[at + CANDIDATES] < 0;
  }

  /** The access that left no candidate, and the one before the last that was of another thread. */
  emptiedBy(variable: number): number {
    return -this.#cells[variable * WIDTH + CANDIDATES];
  }

  lastOfOther(variable: number): number {
    return this.#cells[variable * WIDTH + LAST_OF_OTHER];
  }

  setReported(variable: number): void {
    this.#cells[variable * WIDTH + STATE] = REPORTED;
  }
}
