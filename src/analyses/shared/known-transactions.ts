import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';

/**
 * The transactions that are running, and the finished ones that facts still name. They are numbered from 1, and
 * numbers are used again. An event outside every block is over at once and is never here.
 */
export class KnownTransactions {
  thread = new Int32Array(16);
  beginTime = new Int32Array(16);
  isFinished = new Uint8Array(16);
  /** How many facts name each. */
  #facts = new Int32Array(16);
  #beginEvent = new Float64Array(16);
  #label = new Int32Array(16);
  #mark = new Int32Array(16);
  #stamp = 0;
  readonly #free: number[] = [];
  #end = 1;
  /** How often a transaction that facts name was finished. */
  finishes = 0;

  /** One more than the largest number given so far. */
  get end(): number {
    return this.#end;
  }

  begin(thread: number, beginTime: number, label: number, beginEvent: number): number {
    const transaction = this.#free.pop() ?? this.#create();
    this.thread[transaction] = thread;
    this.beginTime[transaction] = beginTime;
    this.isFinished[transaction] = 0;
    this.#label[transaction] = label;
    this.#beginEvent[transaction] = beginEvent;
    return transaction;
  }

  finish(transaction: number): void {
    this.isFinished[transaction] = 1;
    if (this.#facts[transaction] === 0) this.#free.push(transaction);
    else this.finishes = (this.finishes + 1) | 0;
  }

  addFact(transaction: number): void {
    this.#facts[transaction]++;
  }

  /** One fact less names the transaction, which is finished. */
  removeFact(transaction: number): void {
    if (--this.#facts[transaction] === 0) this.#free.push(transaction);
  }

  hasFacts(transaction: number): boolean {
    return this.#facts[transaction] !== 0;
  }

  /** The outermost block of the transaction. */
  blockOf(transaction: number): BlockFact {
    return { label: this.#label[transaction], begin: this.#beginEvent[transaction], depth: 0 };
  }

  /** Takes all marks away. */
  clearMarks(): void {
    if (this.#stamp === 0x7fffffff) {
      this.#mark.fill(0);
      this.#stamp = 0;
    }
    this.#stamp++;
  }

  /** Marks the transaction; false if it was marked. */
  mark(transaction: number): boolean {
    if (this.#mark[transaction] === this.#stamp) return false;
    this.#mark[transaction] = this.#stamp;
    return true;
  }

  #create(): number {
    const transaction = this.#end++;
    if (transaction < this.thread.length) return transaction;
    this.thread = grownInt32(this.thread, this.#end);
    this.beginTime = grownInt32(this.beginTime, this.#end);
    this.isFinished = grownUint8(this.isFinished, this.#end);
    this.#facts = grownInt32(this.#facts, this.#end);
    this.#label = grownInt32(this.#label, this.#end);
    this.#mark = grownInt32(this.#mark, this.#end);
    const beginEvent = new Float64Array(this.thread.length);
    beginEvent.set(this.#beginEvent);
    this.#beginEvent = beginEvent;
    return transaction;
  }
}
