import { grownInt32 } from '../../trace/growable.ts';

/* The fields of a fact; facts are named by where they start, 0 is none. */
export const TRANSACTION = 0;
export const TIME = 1;
/** The next older fact about the same thread. */
export const OLDER = 2;
const NEWER = 3;
const WIDTH = 4;

/**
 * The facts "this transaction precedes that thread from this time on": for each thread a list, latest first,
 * linked both ways. A thread that nothing precedes costs nothing but its empty list.
 */
export class PrecedenceFacts {
  cells = new Int32Array(64 * WIDTH);
  /** The latest fact about each thread. */
  latest = new Int32Array(16);
  #end = WIDTH;
  #free = 0;
  #count = 0;
  #atMost = 0;

  get count(): number {
    return this.#count;
  }

  /** The largest number of facts that there were at a time. */
  get atMost(): number {
    return this.#atMost;
  }

  reserveThreads(count: number): void {
    this.latest = grownInt32(this.latest, count);
  }

  /** Adds a fact that no other about the thread is later than. */
  addLatest(thread: number, transaction: number, time: number): void {
    const fact = this.#create(transaction, time);
    const { cells, latest } = this;
    const older = latest[thread];
    cells[fact + OLDER] = older;
    cells[fact + NEWER] = 0;
    if (older !== 0) cells[older + NEWER] = fact;
    latest[thread] = fact;
  }

  /** Adds a fact about the same thread and time as `other`. */
  addBeside(other: number, thread: number, transaction: number): number {
    const fact = this.#create(transaction, this.cells[other + TIME]);
    this.#linkBeside(fact, other, thread);
    return fact;
  }

  /** Makes a fact hold from the time of `other` on, one about the same thread, if it is later than that. */
  moveBack(fact: number, other: number, thread: number): void {
    if (this.cells[fact + TIME] <= this.cells[other + TIME]) return;
    this.#unlink(fact, thread);
    this.cells[fact + TIME] = this.cells[other + TIME];
    this.#linkBeside(fact, other, thread);
  }

  remove(fact: number, thread: number): void {
    this.#unlink(fact, thread);
    this.cells[fact + OLDER] = this.#free;
    this.#free = fact;
    this.#count--;
  }

  #create(transaction: number, time: number): number {
    let fact = this.#free;
    if (fact !== 0) {
      this.#free = this.cells[fact + OLDER];
    } else {
      fact = this.#end;
      this.#end += WIDTH;
      this.cells = grownInt32(this.cells, this.#end);
    }
    this.cells[fact + TRANSACTION] = transaction;
    this.cells[fact + TIME] = time;
    if (++this.#count > this.#atMost) this.#atMost = this.#count;
    return fact;
  }

  #linkBeside(fact: number, other: number, thread: number): void {
    const { cells } = this;
    const newer = cells[other + NEWER];
    cells[fact + OLDER] = other;
    cells[fact + NEWER] = newer;
    cells[other + NEWER] = fact;
    if (newer !== 0) cells[newer + OLDER] = fact;
    else this.latest[thread] = fact;
  }

  #unlink(fact: number, thread: number): void {
    const { cells } = this;
    const older = cells[fact + OLDER];
    const newer = cells[fact + NEWER];
    if (older !== 0) cells[older + NEWER] = newer;
    if (newer !== 0) cells[newer + OLDER] = older;
    else this.latest[thread] = older;
  }
}
