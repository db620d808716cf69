import { grownInt32 } from '../../trace/growable.ts';
import type { HappensBefore } from './happens-before.ts';
import { NEVER, type WatchedBlocks } from './watched-blocks.ts';

/**
 * The families of blocks (SEMANTICS, `--fork-join family`). An event belongs to the families of a chain of
 * blocks: those that are open in its thread, and those of the fork of its thread that were open at that fork.
 * Chains share their outer parts, so they are trees of links, numbered from 1; numbers are used again.
 *
 * A block is watched while its family may have more events, or until it is refuted.
 */
export class Families {
  readonly #blocks: WatchedBlocks;
  readonly #order: HappensBefore;

  /** Per thread: the innermost link of the chain of what it does, or 0. */
  #chain = new Int32Array(16);

  /* Per link. */
  #block = new Int32Array(16);
  #outer = new Int32Array(16);
  /** A link further out; the blocks between this one and that one are refuted. */
  #beyond = new Int32Array(16);
  /** The birth of the thread whose block is the outermost. */
  #oldest = new Int32Array(16);
  /** How many threads and inner links refer to it. */
  #references = new Int32Array(16);
  /** The era in which all blocks from this one outwards were seen to be open. */
  #openIn = new Int32Array(16);
  readonly #free: number[] = [];
  #end = 1;
  readonly #path: number[] = [];
  /** Another one begins when a block ends whose family may live on. */
  #era = 1;

  /* Per block. */
  #links = new Int32Array(16);
  #endTime = new Int32Array(16);
  /** How many threads had been forked when it ended. */
  #endForks = new Int32Array(16);

  constructor(blocks: WatchedBlocks, order: HappensBefore) {
    this.#blocks = blocks;
    this.#order = order;
  }

  reserveThread(thread: number): void {
    this.#chain = grownInt32(this.#chain, thread + 1);
  }

  begin(thread: number, block: number): void {
    if (block >= this.#links.length) {
      this.#links = grownInt32(this.#links, block + 1);
      this.#endTime = grownInt32(this.#endTime, block + 1);
      this.#endForks = grownInt32(this.#endForks, block + 1);
    }
    this.#links[block] = 0;
    this.#endTime[block] = NEVER;
    this.#endForks[block] = NEVER;
    this.#blocks.hold(block);
    this.#move(thread, this.#link(block, this.#chain[thread]));
  }

  /** The innermost block of the thread ends; `time` is the time of the thread from now on. */
  end(thread: number, time: number): void {
    const link = this.#chain[thread];
    const block = this.#block[link];
    this.#blocks.close(block);
    this.#endTime[block] = time;
    this.#endForks[block] = this.#blocks.forks;
    if (this.#links[block] > 1 || this.#references[link] > 1) this.#era++;
    this.#move(thread, this.#outer[link]);
  }

  /** Whether a thread forked now by this one would belong to the same families. */
  areAllOpen(thread: number): boolean {
    return this.#areOpen(this.#chain[thread]);
  }

  fork(thread: number, child: number): void {
    this.#move(child, this.#openPart(this.#chain[thread]));
  }

  /** The thread does nothing more. A block that it leaves open stays open for what was forked in it. */
  over(thread: number): void {
    this.#move(thread, 0);
  }

  /** When the first thread was born of those with a block to whose family the present of `thread` belongs. */
  oldestOwner(thread: number): number {
    const link = this.#chain[thread];
    return link === 0 ? NEVER : this.#oldest[link];
  }

  /**
   * Finds the blocks, outermost first, that are refuted by the conflict of what `from` did at `time` with what
   * `to` does now, and takes them from the watched ones. `HappensBefore` has just learnt of the conflict.
   */
  refutedBy(from: number, time: number, to: number, refuted: number[]): void {
    const blocks = this.#blocks;
    const order = this.#order;
    refuted.length = 0;
    let link = this.#unrefuted(this.#chain[to]);
    while (link !== 0) {
      const block = this.#block[link];
      const owner = blocks.thread[block];
      // Both events come after the fork of the thread they share, and that after the begins on its chain.
      const isAbove = order.shared >= 0 && order.birth[owner] < order.birth[order.shared];
      if (isAbove || order.earlierKnows(owner) >= blocks.time[block]) {
        if (!this.#isInFamily(from, time, block, isAbove)) refuted.push(block);
        // All blocks further out have the earlier event in their families if they were open at its fork.
        else if (this.#areOpen(link)) break;
      }
      link = this.#unrefuted(this.#outer[link]);
    }
    refuted.reverse();
    for (const block of refuted) blocks.unwatch(block);
  }

  /** Whether what `from` did at `time`, after the begin of the block, is in its family. */
  #isInFamily(from: number, time: number, block: number, isAbove: boolean): boolean {
    const order = this.#order;
    const owner = this.#blocks.thread[block];
    if (owner === from) return time < this.#endTime[block];
    // Forked, or the child of a thread that was forked, after the end.
    if (order.birth[from] > this.#endForks[block]) return false;
    return isAbove || (owner === order.shared && this.#blocks.time[block] <= order.sharedTime);
  }

  /** Whether all blocks from this link outwards are open. */
  #areOpen(link: number): boolean {
    let clear = link;
    while (clear !== 0 && this.#openIn[clear] !== this.#era) {
      if (!this.#blocks.isOpen(this.#block[clear])) return false;
      clear = this.#outer[clear];
    }
    for (; link !== clear; link = this.#outer[link]) this.#openIn[link] = this.#era;
    return true;
  }

  /** The chain without the blocks that have ended. */
  #openPart(link: number): number {
    if (this.#areOpen(link)) return link;
    const path = this.#path;
    path.length = 0;
    for (; link !== 0 && this.#openIn[link] !== this.#era; link = this.#outer[link]) path.push(link);
    for (let next = path.pop(); next !== undefined; next = path.pop()) {
      const block = this.#block[next];
      if (!this.#blocks.isOpen(block) || !this.#blocks.isWatched(block)) continue;
      link = this.#outer[next] === link ? next : this.#link(block, link);
      this.#openIn[link] = this.#era;
    }
    return link;
  }

  /** The nearest link, from this one outwards, whose block is not refuted. */
  #unrefuted(link: number): number {
    let found = link;
    while (found !== 0 && !this.#blocks.isWatched(this.#block[found])) found = this.#beyond[found];
    while (link !== found) {
      const next = this.#beyond[link];
      this.#beyond[link] = found;
      link = next;
    }
    return found;
  }

  #move(thread: number, link: number): void {
    const old = this.#chain[thread];
    this.#chain[thread] = link;
    if (link !== 0) this.#references[link]++;
    this.#letGo(old);
  }

  #letGo(link: number): void {
    while (link !== 0 && --this.#references[link] === 0) {
      const block = this.#block[link];
      if (--this.#links[block] === 0) {
        this.#blocks.unwatch(block);
        this.#blocks.close(block);
        this.#blocks.release(block);
      }
      this.#free.push(link);
      link = this.#outer[link];
    }
  }

  #link(block: number, outer: number): number {
    const link = this.#free.pop() ?? this.#create();
    this.#block[link] = block;
    this.#outer[link] = outer;
    this.#beyond[link] = outer;
    this.#oldest[link] = outer === 0 ? this.#order.birth[this.#blocks.thread[block]] : this.#oldest[outer];
    this.#references[link] = 0;
    this.#openIn[link] = 0;
    if (outer !== 0) this.#references[outer]++;
    this.#links[block]++;
    return link;
  }

  #create(): number {
    const link = this.#end++;
    if (link < this.#block.length) return link;
    this.#block = grownInt32(this.#block, this.#end);
    this.#outer = grownInt32(this.#outer, this.#end);
    this.#beyond = grownInt32(this.#beyond, this.#end);
    this.#oldest = grownInt32(this.#oldest, this.#end);
    this.#references = grownInt32(this.#references, this.#end);
    this.#openIn = grownInt32(this.#openIn, this.#end);
    return link;
  }
}
