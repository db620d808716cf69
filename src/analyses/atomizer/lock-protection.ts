import { grownInt32 } from '../../trace/growable.ts';
import { EMPTY, type Locksets } from '../shared/locksets.ts';

const NOBODYS = 0;
const SHARED = -1;

/* The cells of a lock: one thread's (its number plus one) or shared, and the locks held around it since then. */
const STATE = 0;
const LOCKS = 1;
const WIDTH = 2;

/**
 * Tells which lock operations are both-movers, from what was seen so far: those of locks that one
 * thread has to itself, and those of locks that are used under another lock only.
 */
export class LockProtection {
  readonly #locksets: Locksets;
  #cells = new Int32Array(16 * WIDTH);

  constructor(locksets: Locksets) {
    this.#locksets = locksets;
  }

  /** Takes note of an acquire or release; `others` are the other locks that the thread holds. */
  use(thread: number, lock: number, others: number): boolean {
    const at = lock * WIDTH;
    if (at >= this.#cells.length) this.#cells = grownInt32(this.#cells, at + WIDTH);
    const cells = this.#cells;
    const state = cells[at + STATE];
    if (state === thread + 1) return true;
    if (state === NOBODYS) {
      cells[at + STATE] = thread + 1;
      return true;
    }
    cells[at + LOCKS] = state === SHARED ? this.#locksets.intersection(cells[at + LOCKS], others) : others;
    cells[at + STATE] = SHARED;
    return cells[at + LOCKS] !== EMPTY;
  }
}
