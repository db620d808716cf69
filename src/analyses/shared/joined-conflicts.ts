import { grownInt32 } from '../../trace/growable.ts';

const BITS = 15;

/* An entry; the thread that learns is kept plus one, 0 for none. */
const FROM = 0;
const TO = 1;
const TIME = 2;
const GENERATION = 3;
const WIDTH = 4;

/**
 * Remembers, for pairs of threads, up to when the one has learnt everything from the other: a conflict with
 * anything earlier tells it nothing new and refutes nothing that was not refuted then. What does not fit is
 * forgotten, and learnt in vain once more.
 */
export class JoinedConflicts {
  readonly #cells = new Int32Array(WIDTH << BITS);
  /** By thread: how often its number was given to another. */
  #generation = new Int32Array(0);

  /** Whether `to` has learnt what `from` knew at `time`; if not, it is about to. */
  has(from: number, time: number, to: number): boolean {
    const cells = this.#cells;
    const hash = Math.imul(from ^ Math.imul(to, 0x85ebca6b), 0x9e3779b1);
    const at = (hash >>> (32 - BITS)) * WIDTH;
    const generation = to < this.#generation.length ? this.#generation[to] : 0;
    if (
      cells[at + FROM] === from &&
      cells[at + TO] === to + 1 &&
      cells[at + TIME] >= time &&
      cells[at + GENERATION] === generation
    )
      return true;
    cells[at + FROM] = from;
    cells[at + TO] = to + 1;
    cells[at + TIME] = time;
    cells[at + GENERATION] = generation;
    return false;
  }

  /** The number is going to be that of another thread, which has learnt nothing. */
  forget(to: number): void {
    this.#generation = grownInt32(this.#generation, to + 1);
    this.#generation[to]++;
  }
}
