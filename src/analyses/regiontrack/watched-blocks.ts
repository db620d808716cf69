import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';

/** Later than any local time. */
export const NEVER = 0x7fffffff;

const OPEN = 1;
const WATCHED = 2;
const HELD = 4;

/**
 * The blocks that may still be refuted, for each thread in the order of their begins. Blocks are numbered from
 * 1, and numbers are used again. A block is taken out when it is not open, watched or held any more, or later:
 * when all that its thread has begun after it are out too.
 */
export class WatchedBlocks {
  /** Per thread: no watched block of it begins before this local time. */
  first = new Int32Array(16).fill(NEVER);
  /** Per thread: the block that was begun last of those that are in. */
  #top = new Int32Array(16);
  #watched = new Int32Array(16);

  /** How many threads have been forked; a time by which forks and begins of different threads are compared. */
  forks = 0;

  /* Per block. */
  thread = new Int32Array(16);
  /** The local time of its begin. */
  time = new Int32Array(16);
  /** How many threads had been forked when it began. */
  forksBefore = new Int32Array(16);
  #older = new Int32Array(16);
  /** An older block, so chosen that a search takes logarithmic time (Myers 1983, random-access stacks). */
  #jump = new Int32Array(16);
  #depth = new Int32Array(16);
  #label = new Int32Array(16);
  #nesting = new Int32Array(16);
  #beginEvent = new Float64Array(16);
  #state = new Uint8Array(16);
  readonly #free: number[] = [];
  #end = 1;

  constructor() {
    this.time[0] = -1;
  }

  reserveThread(thread: number): void {
    if (thread < this.first.length) return;
    this.first = grownInt32(this.first, thread + 1, NEVER);
    this.#top = grownInt32(this.#top, thread + 1);
    this.#watched = grownInt32(this.#watched, thread + 1);
  }

  begin(thread: number, time: number, label: number, event: number, nesting: number): number {
    const block = this.#free.pop() ?? this.#create();
    const older = this.#top[thread];
    const jump = this.#jump[older];
    this.thread[block] = thread;
    this.time[block] = time;
    this.forksBefore[block] = this.forks;
    this.#older[block] = older;
    const isFull =
      this.#depth[older] - this.#depth[jump] === this.#depth[jump] - this.#depth[this.#jump[jump]];
    this.#jump[block] = isFull ? this.#jump[jump] : older;
    this.#depth[block] = this.#depth[older] + 1;
    this.#label[block] = label;
    this.#nesting[block] = nesting;
    this.#beginEvent[block] = event;
    this.#state[block] = OPEN | WATCHED;
    this.#top[thread] = block;
    if (this.#watched[thread]++ === 0) this.first[thread] = time;
    return block;
  }

  fact(block: number): BlockFact {
    return { label: this.#label[block], begin: this.#beginEvent[block], depth: this.#nesting[block] };
  }

  isWatched(block: number): boolean {
    return (this.#state[block] & WATCHED) !== 0;
  }

  isOpen(block: number): boolean {
    return (this.#state[block] & OPEN) !== 0;
  }

  /** The latest watched block of the thread that was begun at this local time or before; 0 if there is none. */
  latestUpTo(thread: number, time: number): number {
    if (time < this.first[thread]) return 0;
    const times = this.time;
    const jumps = this.#jump;
    let block = this.#top[thread];
    while (times[block] > time) block = times[jumps[block]] > time ? jumps[block] : this.#older[block];
    while (block !== 0 && !this.isWatched(block)) block = this.#older[block];
    return block;
  }

  /** The watched block of the same thread that was begun before this one; 0 if there is none. */
  olderWatched(block: number): number {
    const first = this.first[this.thread[block]];
    let older = this.#older[block];
    while (this.time[older] >= first && !this.isWatched(older)) older = this.#older[older];
    return this.time[older] < first ? 0 : older;
  }

  /** The block that the thread has open and begun last; 0 if there is none. */
  innermostOpen(thread: number): number {
    let block = this.#top[thread];
    while (block !== 0 && !this.isOpen(block)) block = this.#older[block];
    return block;
  }

  /** The block needs no watching any more; this may be said again. */
  unwatch(block: number): void {
    if (!this.isWatched(block)) return;
    const thread = this.thread[block];
    if (--this.#watched[thread] === 0) this.first[thread] = NEVER;
    this.#drop(block, WATCHED);
  }

  /** No block of the thread needs watching any more. */
  unwatchAll(thread: number): void {
    for (let block = this.#top[thread]; this.first[thread] !== NEVER; ) {
      const older = this.#older[block];
      this.unwatch(block);
      block = older;
    }
  }

  close(block: number): void {
    this.#drop(block, OPEN);
  }

  /** Keeps the number of the block from being used again until it is released. */
  hold(block: number): void {
    this.#state[block] |= HELD;
  }

  release(block: number): void {
    this.#drop(block, HELD);
  }

  /** Looks anew for the first watched block of the thread, which may be later than where it was. */
  findFirst(thread: number): void {
    let first = NEVER;
    for (let block = this.#top[thread]; block !== 0; block = this.#older[block])
      if (this.isWatched(block)) first = this.time[block];
    this.first[thread] = first;
  }

  #drop(block: number, state: number): void {
    this.#state[block] &= ~state;
    if (this.#state[block] === 0) this.#takeOut(this.thread[block]);
  }

  #takeOut(thread: number): void {
    let block = this.#top[thread];
    while (block !== 0 && this.#state[block] === 0) {
      const older = this.#older[block];
      this.#free.push(block);
      block = older;
    }
    this.#top[thread] = block;
  }

  #create(): number {
    const block = this.#end++;
    if (block < this.time.length) return block;
    this.thread = grownInt32(this.thread, this.#end);
    this.time = grownInt32(this.time, this.#end);
    this.forksBefore = grownInt32(this.forksBefore, this.#end);
    this.#older = grownInt32(this.#older, this.#end);
    this.#jump = grownInt32(this.#jump, this.#end);
    this.#depth = grownInt32(this.#depth, this.#end);
    this.#label = grownInt32(this.#label, this.#end);
    this.#nesting = grownInt32(this.#nesting, this.#end);
    this.#state = grownUint8(this.#state, this.#end);
    const beginEvent = new Float64Array(this.time.length);
    beginEvent.set(this.#beginEvent);
    this.#beginEvent = beginEvent;
    return block;
  }
}
