import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { ClockTrees } from '../shared/clock-trees.ts';
import type { BlockStacks } from './block-stacks.ts';

/** So many windows are remembered for a lock, the latest of each stack of labels. */
const MOST = 8;

/**
 * The vulnerable windows of each lock that nobody was yet seen to fit into, newest first (V of SideTrack's
 * figure 6).
 *
 * Who knows of an acquire of a lock knows of all earlier acquires of that lock, because each of them learnt
 * of the one before. So the windows that a thread does not know of are the newest ones, and a thread that
 * knows of the newest knows of all: one window would be enough to see *that* something is wrong, the others
 * are remembered to blame more than the last block.
 */
export class Windows {
  readonly #blocks: BlockStacks;
  readonly #trees: ClockTrees;
  /** Per lock: its newest window, or 0. */
  #newest = new Int32Array(16);

  /* Per window. */
  /** The innermost block that both acquires lie in; it and those around it are vulnerable. */
  #block = new Int32Array(16);
  #thread = new Int32Array(16);
  #slot = new Int32Array(16);
  /** Its two acquires, and the release between them. */
  #first = new Float64Array(16);
  #released = new Float64Array(16);
  #second = new Float64Array(16);
  #older = new Int32Array(16);
  readonly #free: number[] = [];
  #end = 1;

  constructor(blocks: BlockStacks, trees: ClockTrees) {
    this.#blocks = blocks;
    this.#trees = trees;
  }

  reserveLock(lock: number): void {
    this.#newest = grownInt32(this.#newest, lock + 1);
  }

  newest(lock: number): number {
    return this.#newest[lock];
  }

  older(window: number): number {
    return this.#older[window];
  }

  block(window: number): number {
    return this.#block[window];
  }

  thread(window: number): number {
    return this.#thread[window];
  }

  first(window: number): number {
    return this.#first[window];
  }

  released(window: number): number {
    return this.#released[window];
  }

  second(window: number): number {
    return this.#second[window];
  }

  /**
   * How many windows of the lock, of the newest `limit`, end with an acquire that is not known to a clock nor
   * part of the slot whose clock it is.
   */
  unknownTo(tree: number, slot: number, lock: number, limit: number): number {
    let count = 0;
    for (let window = this.#newest[lock]; window !== 0 && count < limit; window = this.#older[window]) {
      if (this.#slot[window] === slot) break;
      if (this.#trees.at(tree, this.#slot[window]) >= this.#second[window]) break;
      count++;
    }
    return count;
  }

  /** Adds the newest window of a lock; takes over a reference to `block`. */
  add(
    lock: number,
    block: number,
    thread: number,
    slot: number,
    first: number,
    released: number,
    second: number,
  ): void {
    this.#makeRoom(lock, block);
    const window = this.#free.pop() ?? this.#create();
    this.#block[window] = block;
    this.#thread[window] = thread;
    this.#slot[window] = slot;
    this.#first[window] = first;
    this.#released[window] = released;
    this.#second[window] = second;
    this.#older[window] = this.#newest[lock];
    this.#newest[lock] = window;
  }

  /** Takes the newest `count` windows of a lock out: all their labels were blamed. */
  removeNewest(lock: number, count: number): void {
    let window = this.#newest[lock];
    for (let i = 0; i < count; i++) window = this.#remove(window);
    this.#newest[lock] = window;
  }

  /**
   * Takes out the window with the same stack of labels, for which the newer one will do; else the oldest of
   * too many.
   */
  #makeRoom(lock: number, block: number): void {
    const path = this.#blocks.path(block);
    let newer = 0;
    let window = this.#newest[lock];
    for (let count = 1; window !== 0; count++) {
      if (count === MOST || this.#blocks.path(this.#block[window]) === path) {
        const older = this.#remove(window);
        if (newer === 0) this.#newest[lock] = older;
        else this.#older[newer] = older;
        return;
      }
      newer = window;
      window = this.#older[window];
    }
  }

  /** Returns the next older one. */
  #remove(window: number): number {
    this.#blocks.letGo(this.#block[window]);
    this.#free.push(window);
    return this.#older[window];
  }

  #create(): number {
    const window = this.#end++;
    this.#block = grownInt32(this.#block, this.#end);
    this.#thread = grownInt32(this.#thread, this.#end);
    this.#slot = grownInt32(this.#slot, this.#end);
    this.#first = grownFloat64(this.#first, this.#end);
    this.#released = grownFloat64(this.#released, this.#end);
    this.#second = grownFloat64(this.#second, this.#end);
    this.#older = grownInt32(this.#older, this.#end);
    return window;
  }
}
