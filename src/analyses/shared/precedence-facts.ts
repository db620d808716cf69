import { grownInt32 } from '../../trace/growable.ts';

/* The fields of a fact; facts are named by where they start, 0 is none. */
export const TRANSACTION = 0;
export const TIME = 1;
/** The next older fact about the same thread. */
export const OLDER = 2;
const NEWER = 3;
/** The next fact about the same transaction. */
export const ALONG = 4;
export const THREAD = 5;
const WIDTH = 6;

/**
 * A sparse table of facts "running transaction i precedes thread a from time p on". Only running transactions
 * have rows, and only threads that something running precedes have columns, so that neither finished
 * transactions nor the number of threads that ever lived cost anything here.
 *
 * A column (`ofThread`) lists its facts latest first and is linked both ways; a row (`ofTransaction`) is only
 * ever walked once, when its transaction ends, and is linked one way.
 */
export class PrecedenceFacts {
  cells = new Int32Array(64 * WIDTH);
  /** The latest fact about each thread. */
  ofThread = new Int32Array(16);
  /** Some fact about each running transaction. */
  ofTransaction = new Int32Array(16);
  #end = WIDTH;
  #free = 0;
  #alive = 0;
  #atMost = 0;

  /** The largest number of facts that there were at a time. */
  get atMost(): number {
    return this.#atMost;
  }

  reserveThreads(count: number): void {
    this.ofThread = grownInt32(this.ofThread, count);
  }

  reserveTransactions(count: number): void {
    this.ofTransaction = grownInt32(this.ofTransaction, count);
  }

  /** Adds a fact about the thread's present, later than or at the same time as any other about that thread. */
  addLatest(transaction: number, thread: number, time: number): void {
    const fact = this.#create(transaction, thread, time);
    const { cells, ofThread } = this;
    const older = ofThread[thread];
    cells[fact + OLDER] = older;
    cells[fact + NEWER] = 0;
    if (older !== 0) cells[older + NEWER] = fact;
    ofThread[thread] = fact;
  }

  /** Adds a fact about the same thread and time as `other`. */
  addBeside(other: number, transaction: number): void {
    const { cells } = this;
    const fact = this.#create(transaction, cells[other + THREAD], cells[other + TIME]);
    this.#linkBeside(fact, other);
  }

  /** Makes a fact hold from the time of `other` on, one about the same thread, if it is later than that. */
  moveBack(fact: number, other: number): void {
    if (this.cells[fact + TIME] <= this.cells[other + TIME]) return;
    this.#unlink(fact);
    this.cells[fact + TIME] = this.cells[other + TIME];
    this.#linkBeside(fact, other);
  }

  /** Removes a fact whose row is being walked to be given up. */
  remove(fact: number): void {
    this.#unlink(fact);
    this.cells[fact + OLDER] = this.#free;
    this.#free = fact;
    this.#alive--;
  }

  #create(transaction: number, thread: number, time: number): number {
    let fact = this.#free;
    if (fact !== 0) {
      this.#free = this.cells[fact + OLDER];
    } else {
      fact = this.#end;
      this.#end += WIDTH;
      this.cells = grownInt32(this.cells, this.#end);
    }
    const { cells, ofTransaction } = this;
    cells[fact + TRANSACTION] = transaction;
    cells[fact + TIME] = time;
    cells[fact + THREAD] = thread;
    cells[fact + ALONG] = ofTransaction[transaction];
    ofTransaction[transaction] = fact;
    if (++this.#alive > this.#atMost) this.#atMost = this.#alive;
    return fact;
  }

  #linkBeside(fact: number, other: number): void {
    const { cells } = this;
    const newer = cells[other + NEWER];
    cells[fact + OLDER] = other;
    cells[fact + NEWER] = newer;
    cells[other + NEWER] = fact;
    if (newer !== 0) cells[newer + OLDER] = fact;
    else this.ofThread[cells[fact + THREAD]] = fact;
  }

  #unlink(fact: number): void {
    const { cells } = this;
    const older = cells[fact + OLDER];
    const newer = cells[fact + NEWER];
    if (older !== 0) cells[older + NEWER] = newer;
    if (newer !== 0) cells[newer + OLDER] = older;
    else this.ofThread[cells[fact + THREAD]] = older;
  }
}
