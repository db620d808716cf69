import { grownInt32 } from '../../trace/growable.ts';
import { type Cells, PRECEDED, type Table } from './cells.ts';

/* The fields of a fact; facts are named by where they start, 0 is none. */
export const TRANSACTION = 0;
export const TIME = 1;
/** The next older fact about the same thread. */
export const OLDER = 2;
const NEWER = 3;
const WIDTH = 4;

/** Threads with fewer facts have no index: going through them takes less. */
const MANY = 64;
/** There is an index of bits if it takes no more than the facts do, of 128 bits each. */
const BITS_OF_FACT = 128;

/**
 * The facts "this transaction precedes that thread from this time on": for each thread a list, latest first,
 * linked both ways. A thread that nothing precedes costs nothing but its empty list.
 */
export class PrecedenceFacts {
  cells = new Int32Array(64 * WIDTH);
  readonly #latest: Table;
  /** How many facts there are about each thread. */
  #about = new Int32Array(16);
  /** For threads with many: a bit for each transaction that a fact names. */
  readonly #index = new Map<number, Int32Array<ArrayBuffer>>();
  #end = WIDTH;
  #free = 0;
  #count = 0;
  #atMost = 0;

  constructor(memory: Cells) {
    this.#latest = memory.table(PRECEDED);
    this.#latest.reserve(16);
  }

  /** The latest fact about each thread; 0 if there is none. */
  get latest(): Int32Array {
    return this.#latest.view;
  }

  get count(): number {
    return this.#count;
  }

  /** The largest number of facts that there were at a time. */
  get atMost(): number {
    return this.#atMost;
  }

  reserveThreads(count: number): void {
    this.#latest.reserve(count);
    this.#about = grownInt32(this.#about, count);
  }

  /** Whether `names` can be asked about the thread; transactions have numbers below `transactions`. */
  isIndexed(thread: number, transactions: number): boolean {
    const about = this.#about[thread];
    if (about < MANY || about * BITS_OF_FACT < transactions) return false;
    if (!this.#index.has(thread)) this.#createIndex(thread, transactions);
    return true;
  }

  /** Whether a fact about an indexed thread names the transaction. */
  names(thread: number, transaction: number): boolean {
    const word = this.#index.get(thread)![transaction >> 5];
    return word !== undefined && (word & (1 << (transaction & 31))) !== 0;
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
    this.#enter(thread, transaction);
  }

  /** Adds a fact about the same thread and time as `other`. */
  addBeside(other: number, thread: number, transaction: number): number {
    const fact = this.#create(transaction, this.cells[other + TIME]);
    this.#linkBeside(fact, other, thread);
    this.#enter(thread, transaction);
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
    const index = this.#index.get(thread);
    const transaction = this.cells[fact + TRANSACTION];
    if (index !== undefined) index[transaction >> 5] &= ~(1 << (transaction & 31));
    if (--this.#about[thread] < MANY >> 1) this.#index.delete(thread);
    this.cells[fact + OLDER] = this.#free;
    this.#free = fact;
    this.#count--;
  }

  #createIndex(thread: number, transactions: number): void {
    this.#index.set(thread, new Int32Array((transactions >> 5) + 1));
    for (let fact = this.latest[thread]; fact !== 0; fact = this.cells[fact + OLDER])
      this.#setBit(thread, this.cells[fact + TRANSACTION]);
  }

  #enter(thread: number, transaction: number): void {
    this.#about[thread]++;
    if (this.#index.size > 0) this.#setBit(thread, transaction);
  }

  #setBit(thread: number, transaction: number): void {
    const index = this.#index.get(thread);
    if (index === undefined) return;
    const grown = grownInt32(index, (transaction >> 5) + 1);
    grown[transaction >> 5] |= 1 << (transaction & 31);
    if (grown !== index) this.#index.set(thread, grown);
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
