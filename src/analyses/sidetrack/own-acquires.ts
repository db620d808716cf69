import { TupleTable } from '../shared/tuple-table.ts';
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

/** So many entries there may be before it is worth looking for those that mean nothing any more. */
const FEW_ENTRIES = 32;

/**
 * What each thread did with each lock in its running transaction: the sets H and I of SideTrack's figure 6,
 * with the events. Entries of transactions that are over mean nothing, and go when the table is made anew, so that
 * nothing is to do at the end of a block.
 */
export class OwnAcquires {
  readonly #blocks: BlockStacks;
  /** Threads with locks. */
  #entries = new TupleTable(2);
  #events = new Float64Array(2 * FEW_ENTRIES * WIDTH);

  constructor(blocks: BlockStacks) {
    this.#blocks = blocks;
  }

  /** The entry of a thread with a running transaction, empty if it is new; valid until the next call. */
  entry(thread: number, lock: number): number {
    if ((this.#entries.size + 1) * WIDTH > this.#events.length) this.#renew();
    const entry = this.#entries.number(thread, lock);
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

  /** Leaves out what belongs to no running transaction, and makes room for as much as is left. */
  #renew(): void {
    const old = this.#entries;
    const events = this.#events;
    const alive: number[] = [];
    for (let entry = 0; entry < old.size; entry++) {
      const begin = this.#blocks.transactionOf(old.part(entry, 0));
      if (begin > 0 && events[entry * WIDTH + ACQUIRED] > begin) alive.push(entry);
    }
    this.#entries = new TupleTable(2);
    this.#events = new Float64Array(2 * Math.max(FEW_ENTRIES, alive.length) * WIDTH);
    for (const entry of alive) {
      const copy = this.#entries.number(old.part(entry, 0), old.part(entry, 1));
      for (let i = 0; i < WIDTH; i++) this.#events[copy * WIDTH + i] = events[entry * WIDTH + i];
    }
  }
}
