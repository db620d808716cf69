import { grownFloat64 } from '../../trace/growable.ts';
import type { HeldLocks } from '../shared/held-locks.ts';
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
  readonly #held: HeldLocks;
  #cells = new Float64Array(256 * WIDTH);

  constructor(locksets: Locksets, held: HeldLocks) {
    this.#locksets = locksets;
    this.#held = held;
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

  /**
   * Takes note of an access by a thread that does not have the variable to itself. Whether it is to be reported:
   * a thread may write it while no lock protects it.
   */
  access(thread: number, variable: number, isWrite: boolean, event: number): boolean {
    const cells = this.#cells;
    const at = variable * WIDTH;
    const key = cells[at + STATE];
    if (key === REPORTED) return false;
    const before = key & 3;
    const state = isWrite ? SHARED_MODIFIED : Math.max(before, SHARED);
    if (key >> 2 !== thread) cells[at + LAST_OF_OTHER] = cells[at + LAST];
    cells[at + LAST] = event;
    cells[at + STATE] = thread * 4 + state;
    if (cells[at + CANDIDATES] >= 0) {
      const held = this.#held.set(thread);
      const candidates =
        before === EXCLUSIVE ? held : this.#locksets.intersection(cells[at + CANDIDATES], held);
      cells[at + CANDIDATES] = candidates === EMPTY ? -event : candidates;
    }
    if (state === SHARED || cells[at + CANDIDATES] >= 0) return false;
    cells[at + STATE] = REPORTED;
    return true;
  }

  /** The access that left no candidate, and the one before the last that was of another thread. */
  emptiedBy(variable: number): number {
    return -this.#cells[variable * WIDTH + CANDIDATES];
  }

  lastOfOther(variable: number): number {
    return this.#cells[variable * WIDTH + LAST_OF_OTHER];
  }
}
