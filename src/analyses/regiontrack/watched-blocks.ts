import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';

/** Later than any local time, and than any begin in a slot. */
export const NEVER = 0x7fffffff;

const OPEN = 1;
const WATCHED = 2;
const HELD = 4;

/**
 * The open blocks of each thread, and which of them are watched: those that may still be refuted. Blocks are numbered from
 * 1, and numbers are used again when a block is neither open nor held.
 *
 * A thread with watched blocks has a slot, which another one may have had before it. The begins in a slot have values that
 * go up, whoever has it; so whoever knows of a begin in a slot knows of a block that is still watched if that value is
 * not below `firstValue`.
 */
export class WatchedBlocks {
  /* Per thread. */
  /** No watched block of it begins before this local time. */
  first = new Int32Array(16).fill(NEVER);
  /** -1 if it has no watched block. */
  slot = new Int32Array(16).fill(-1);
  /** Its innermost open block. */
  #top = new Int32Array(16);
  /** The oldest and the newest of its watched blocks. */
  #oldest = new Int32Array(16);
  #newest = new Int32Array(16);

  /* Per slot. */
  /** The value of the oldest watched begin in it. */
  firstValue = new Int32Array(16).fill(NEVER);
  #lastValue = new Int32Array(16);
  readonly #freeSlots: number[] = [];
  #slots = 0;

  /* Per block. */
  thread = new Int32Array(16);
  /** The local time of its begin. */
  time = new Int32Array(16);
  /** The value of its begin in the slot of its thread. */
  value = new Int32Array(16);
  /** The open block of its thread that it is in. */
  #outer = new Int32Array(16);
  /** One further out, so chosen that a search takes logarithmic time (Myers 1983, random-access stacks). */
  #jump = new Int32Array(16);
  #depth = new Int32Array(16);
  /** The watched ones of its thread next to it; of one that is not watched any more, `#older` was when it still was. */
  #older = new Int32Array(16);
  #newer = new Int32Array(16);
  #label = new Int32Array(16);
  #nesting = new Int32Array(16);
  #beginEvent = new Float64Array(16);
  #state = new Uint8Array(16);
  readonly #free: number[] = [];
  /** Block numbers are below this. */
  end = 1;

  constructor() {
    this.time[0] = -1;
  }

  reserveThread(thread: number): void {
    if (thread < this.first.length) return;
    this.first = grownInt32(this.first, thread + 1, NEVER);
    this.slot = grownInt32(this.slot, thread + 1, -1);
    this.#top = grownInt32(this.#top, thread + 1);
    this.#oldest = grownInt32(this.#oldest, thread + 1);
    this.#newest = grownInt32(this.#newest, thread + 1);
  }

  begin(thread: number, time: number, label: number, event: number, nesting: number): number {
    const block = this.#free.pop() ?? this.#create();
    const outer = this.#top[thread];
    const jump = this.#jump[outer];
    const isFull =
      this.#depth[outer] - this.#depth[jump] === this.#depth[jump] - this.#depth[this.#jump[jump]];
    this.#outer[block] = outer;
    this.#jump[block] = isFull ? this.#jump[jump] : outer;
    this.#depth[block] = this.#depth[outer] + 1;
    this.#top[thread] = block;
    this.thread[block] = thread;
    this.time[block] = time;
    this.#label[block] = label;
    this.#nesting[block] = nesting;
    this.#beginEvent[block] = event;
    this.#state[block] = OPEN | WATCHED;
    this.#watch(thread, block);
    return block;
  }

  fact(block: number): BlockFact {
    return { label: this.#label[block], begin: this.#beginEvent[block], depth: this.#nesting[block] };
  }

  beginEvent(block: number): number {
    return this.#beginEvent[block];
  }

  isWatched(block: number): boolean {
    return (this.#state[block] & WATCHED) !== 0;
  }

  isOpen(block: number): boolean {
    return (this.#state[block] & OPEN) !== 0;
  }

  isHeld(block: number): boolean {
    return (this.#state[block] & HELD) !== 0;
  }

  /** The innermost watched block of the thread that was begun at this local time or before; 0 if there is none. */
  latestUpTo(thread: number, time: number): number {
    if (time < this.first[thread]) return 0;
    const newest = this.#newest[thread];
    const times = this.time;
    if (times[newest] <= time) return newest;
    const jumps = this.#jump;
    let block = this.#top[thread];
    while (times[block] > time) block = times[jumps[block]] > time ? jumps[block] : this.#outer[block];
    return this.#watchedFrom(block);
  }

  /** The outermost watched block of the thread; 0 if there is none. */
  outermostWatched(thread: number): number {
    return this.#oldest[thread];
  }

  /** The block that the thread has open and begun last; 0 if there is none. */
  innermostOpen(thread: number): number {
    return this.#top[thread];
  }

  /** The block needs no watching any more; this may be said again. */
  unwatch(block: number): void {
    if (!this.isWatched(block)) return;
    this.#state[block] &= ~WATCHED;
    const thread = this.thread[block];
    const older = this.#older[block];
    const newer = this.#newer[block];
    if (newer === 0) this.#newest[thread] = older;
    else this.#older[newer] = older;
    if (older !== 0) this.#newer[older] = newer;
    else this.#startWith(thread, newer);
  }

  /** The innermost open block of the thread ends. */
  close(thread: number): void {
    const block = this.#top[thread];
    this.unwatch(block);
    this.#top[thread] = this.#outer[block];
    this.#drop(block, OPEN);
  }

  /** Keeps the number of the block from being used again until it is released. */
  hold(block: number): void {
    this.#state[block] |= HELD;
  }

  release(block: number): void {
    this.#drop(block, HELD);
  }

  #watch(thread: number, block: number): void {
    const older = this.#newest[thread];
    this.#older[block] = older;
    this.#newer[block] = 0;
    this.#newest[thread] = block;
    if (older !== 0) {
      this.#newer[older] = block;
      this.value[block] = ++this.#lastValue[this.slot[thread]];
      return;
    }
    const slot = this.#freeSlots.pop() ?? this.#createSlot();
    this.slot[thread] = slot;
    if (this.#lastValue[slot] === NEVER - 1)
      throw new RangeError(`more than ${NEVER - 1} blocks share a slot`);
    this.value[block] = ++this.#lastValue[slot];
    this.#startWith(thread, block);
  }

  /** The oldest watched block of the thread is now this one. */
  #startWith(thread: number, block: number): void {
    const slot = this.slot[thread];
    this.#oldest[thread] = block;
    this.first[thread] = block === 0 ? NEVER : this.time[block];
    this.firstValue[slot] = block === 0 ? NEVER : this.value[block];
    if (block !== 0) return;
    this.slot[thread] = -1;
    this.#freeSlots.push(slot);
  }

  /** The nearest block outwards from an open one that is watched; what is on the way is passed over from now on. */
  #watchedFrom(block: number): number {
    const older = this.#older;
    let found = block;
    while (found !== 0 && !this.isWatched(found)) found = older[found];
    while (block !== found) {
      const next = older[block];
      older[block] = found;
      block = next;
    }
    return found;
  }

  #drop(block: number, state: number): void {
    this.#state[block] &= ~state;
    if (this.#state[block] === 0) this.#free.push(block);
  }

  #createSlot(): number {
    const slot = this.#slots++;
    this.firstValue = grownInt32(this.firstValue, this.#slots, NEVER);
    this.#lastValue = grownInt32(this.#lastValue, this.#slots);
    return slot;
  }

  #create(): number {
    const block = this.end++;
    if (block < this.time.length) return block;
    this.thread = grownInt32(this.thread, this.end);
    this.time = grownInt32(this.time, this.end);
    this.value = grownInt32(this.value, this.end);
    this.#outer = grownInt32(this.#outer, this.end);
    this.#jump = grownInt32(this.#jump, this.end);
    this.#depth = grownInt32(this.#depth, this.end);
    this.#older = grownInt32(this.#older, this.end);
    this.#newer = grownInt32(this.#newer, this.end);
    this.#label = grownInt32(this.#label, this.end);
    this.#nesting = grownInt32(this.#nesting, this.end);
    this.#beginEvent = grownFloat64(this.#beginEvent, this.end);
    this.#state = grownUint8(this.#state, this.end);
    return block;
  }
}
