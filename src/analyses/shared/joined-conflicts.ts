import { grownInt32 } from '../../trace/growable.ts';
import { Cells, JOINED } from './cells.ts';

/* The table doubles when two pairs want the same place, up to so many places for a pair: most traces have few threads. */
const FEWEST_BITS = 2;
const MOST_BITS = 18;
const PLACES_FOR_A_PAIR = 64;

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
  /** Up to when the thread had learnt everything that `has` was last asked about; 0 if that is not known. */
  until = 0;
  readonly #memory: Cells;
  /** Where the table starts. */
  #start = 0;
  #bits = FEWEST_BITS;
  /** Places that are taken. */
  #count = 0;
  /** By thread: how often its number was given to another. */
  #generation = new Int32Array(0);

  /** Compiled code finds the table if it is in the same memory as those of variables. */
  constructor(memory = new Cells()) {
    this.#memory = memory;
    this.#allocate();
  }

  /** Whether `to` has learnt what `from` knew at `time`; if not, it is about to. */
  has(from: number, time: number, to: number): boolean {
    const cells = this.#memory.all;
    const at = this.#start + (hashOf(from, to) >>> (32 - this.#bits)) * WIDTH;
    const generation = to < this.#generation.length ? this.#generation[to] : 0;
    const isKnown =
      cells[at + FROM] === from && cells[at + TO] === to + 1 && cells[at + GENERATION] === generation;
    this.until = isKnown ? cells[at + TIME] : 0;
    if (this.until >= time) return true;
    this.#enter(from, time, to, generation);
    return false;
  }

  /** The number is going to be that of another thread, which has learnt nothing. */
  forget(to: number): void {
    this.#generation = grownInt32(this.#generation, to + 1);
    this.#generation[to]++;
  }

  #enter(from: number, time: number, to: number, generation: number): void {
    const hash = hashOf(from, to);
    let at = this.#start + (hash >>> (32 - this.#bits)) * WIDTH;
    while (this.#mayGrow() && this.#isOfOthers(at, from, to)) {
      this.#double();
      at = this.#start + (hash >>> (32 - this.#bits)) * WIDTH;
    }
    const cells = this.#memory.all;
    if (cells[at + TO] === 0) this.#count++;
    cells[at + FROM] = from;
    cells[at + TO] = to + 1;
    cells[at + TIME] = time;
    cells[at + GENERATION] = generation;
  }

  #mayGrow(): boolean {
    return this.#bits < MOST_BITS && 1 << this.#bits < PLACES_FOR_A_PAIR * this.#count;
  }

  #isOfOthers(at: number, from: number, to: number): boolean {
    const cells = this.#memory.all;
    return cells[at + TO] !== 0 && (cells[at + TO] !== to + 1 || cells[at + FROM] !== from);
  }

  #allocate(): void {
    this.#start = this.#memory.allocate(WIDTH << this.#bits);
    this.#memory.all[JOINED] = this.#start;
    this.#memory.all[JOINED + 1] = this.#bits;
  }

  #double(): void {
    const first = this.#start;
    const end = first + (WIDTH << this.#bits);
    this.#bits++;
    this.#allocate();
    const cells = this.#memory.all;
    for (let at = first; at < end; at += WIDTH) {
      if (cells[at + TO] === 0) continue;
      const index = hashOf(cells[at + FROM], cells[at + TO] - 1) >>> (32 - this.#bits);
      cells.copyWithin(this.#start + index * WIDTH, at, at + WIDTH);
    }
  }
}

function hashOf(from: number, to: number): number {
  return Math.imul(from ^ Math.imul(to, 0x85ebca6b), 0x9e3779b1);
}
