import type { BlockStacks } from './block-stacks.ts';

/* The fields of an entry. */
/** The last acquire of the lock by the thread, or 0, and its release. */
export const ACQUIRED = 0;
export const RELEASED = 1;
/**
 * The last acquire, or 0, that could have changed places with the acquire of another thread which it came
 * after; and its release.
 */
export const INTERFERED = 2;
export const INTERFERED_RELEASED = 3;
/** That acquire of the other thread, and its release. */
export const RIVAL_ACQUIRED = 4;
export const RIVAL_RELEASED = 5;
const WIDTH = 6;

const SMALLEST = 64;

/**
 * What each thread did with each lock in its running transaction: the sets H and I of SideTrack's figure 6,
 * with the events. A table with open addressing; entries of transactions that are over mean nothing, and go
 * when the table is made anew, so that nothing is to do at the end of a block.
 */
export class OwnAcquires {
  readonly #blocks: BlockStacks;
  /** Per entry: the thread, plus one, or 0; and the lock. */
  #thread = new Int32Array(SMALLEST);
  #lock = new Int32Array(SMALLEST);
  #events = new Float64Array(SMALLEST * WIDTH);
  #mask = SMALLEST - 1;
  #count = 0;

  constructor(blocks: BlockStacks) {
    this.#blocks = blocks;
  }

  /** The entry of a thread with a running transaction, empty if it is new; valid until the next call. */
  entry(thread: number, lock: number): number {
    let entry = this.#find(thread, lock);
    if (this.#thread[entry] === 0) {
      if (2 * ++this.#count > this.#mask) {
        this.#renew();
        this.#count++;
        entry = this.#find(thread, lock);
      }
      this.#thread[entry] = thread + 1;
      this.#lock[entry] = lock;
    }
    if (this.#events[entry * WIDTH + ACQUIRED] < this.#blocks.transactionOf(thread)) {
      this.#events[entry * WIDTH + ACQUIRED] = 0;
      this.#events[entry * WIDTH + INTERFERED] = 0;
    }
    return entry;
  }

  at(entry: number, field: number): number {
    return this.#events[entry * WIDTH + field];
  }

  set(entry: number, field: number, event: number): void {
    this.#events[entry * WIDTH + field] = event;
  }

  #find(thread: number, lock: number): number {
    const hash = Math.imul(Math.imul(thread + 1, 0x85ebca6b) ^ lock, 0x9e3779b1);
    let entry = (hash ^ (hash >>> 15)) & this.#mask;
    while (this.#thread[entry] !== 0 && (this.#thread[entry] !== thread + 1 || this.#lock[entry] !== lock))
      entry = (entry + 1) & this.#mask;
    return entry;
  }

  /** Leaves out what belongs to no running transaction, and makes room for as much as is left. */
  #renew(): void {
    const threads = this.#thread;
    const locks = this.#lock;
    const events = this.#events;
    const isAlive = (entry: number) => {
      const begin = threads[entry] === 0 ? 0 : this.#blocks.transactionOf(threads[entry] - 1);
      return begin > 0 && events[entry * WIDTH + ACQUIRED] > begin;
    };
    this.#count = 0;
    for (let entry = 0; entry < threads.length; entry++) if (isAlive(entry)) this.#count++;
    let size = SMALLEST;
    while (size < 4 * (this.#count + 1)) size *= 2;
    this.#mask = size - 1;
    this.#thread = new Int32Array(size);
    this.#lock = new Int32Array(size);
    this.#events = new Float64Array(size * WIDTH);
    for (let entry = 0; entry < threads.length; entry++) {
      if (!isAlive(entry)) continue;
      const copy = this.#find(threads[entry] - 1, locks[entry]);
      this.#thread[copy] = threads[entry];
      this.#lock[copy] = locks[entry];
      for (let i = 0; i < WIDTH; i++) this.#events[copy * WIDTH + i] = events[entry * WIDTH + i];
    }
  }
}
