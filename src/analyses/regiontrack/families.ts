import { grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { HappensBefore } from './happens-before.ts';
import type { WatchedBlocks } from './watched-blocks.ts';

const FEWEST = 256;

/**
 * The families of blocks (SEMANTICS, `--fork-join family`). An event belongs to the families of a chain of blocks: those
 * that are open in its thread, and those that were open at the fork of its thread and still are. Chains share
 * their outer parts: they are paths in a tree of blocks, in which what is not watched any more is passed over.
 *
 * Who knows the begin of a block knows the begins of all blocks further out on its chain. So what a conflict refutes is
 * found by a search along the chain for where that starts, in logarithmic time however deep blocks nest.
 */
export class Families {
  readonly #blocks: WatchedBlocks;
  readonly #order: HappensBefore;

  /* Per thread. */
  /** The innermost block of the chain of what it does, or one that is not watched any more, or 0. */
  #chain = new Int32Array(16);
  #isOver = new Uint8Array(16);

  /* Per block. */
  #outer = new Int32Array(16);
  /** One further out; those between are not watched. */
  #beyond = new Int32Array(16);
  /** One further out, for searches (Myers 1983, random-access stacks). */
  #jump = new Int32Array(16);
  #depth = new Int32Array(16);

  /** How many blocks there are, with those that are over and not yet taken out, and how many there may be. */
  #count = 0;
  #most = FEWEST;
  /** Whether a thread has left a block open. */
  #hasLeft = false;

  constructor(blocks: WatchedBlocks, order: HappensBefore) {
    this.#blocks = blocks;
    this.#order = order;
  }

  reserveThread(thread: number): void {
    this.#chain = grownInt32(this.#chain, thread + 1);
    this.#isOver = grownUint8(this.#isOver, this.#chain.length);
  }

  begin(thread: number, block: number): void {
    if (this.#count++ === this.#most) this.#takeOut();
    if (block >= this.#outer.length) {
      this.#outer = grownInt32(this.#outer, block + 1);
      this.#beyond = grownInt32(this.#beyond, block + 1);
      this.#jump = grownInt32(this.#jump, block + 1);
      this.#depth = grownInt32(this.#depth, block + 1);
    }
    this.#blocks.hold(block);
    this.#putInto(block, this.#watchedFrom(this.#chain[thread]));
    this.#chain[thread] = block;
  }

  /** The innermost block of the thread ends, and its family is closed. */
  end(thread: number): void {
    const block = this.#blocks.innermostOpen(thread);
    if (this.#chain[thread] === block) this.#chain[thread] = this.#outer[block];
    this.#blocks.close(thread);
  }

  fork(thread: number, child: number): void {
    this.#chain[child] = this.#watchedFrom(this.#chain[thread]);
  }

  /** The thread does nothing more. A block that it leaves open stays open for what was forked in it. */
  over(thread: number): void {
    this.#isOver[thread] = 1;
    this.#chain[thread] = this.#watchedFrom(this.#chain[thread]);
    if (this.#blocks.innermostOpen(thread) !== 0) this.#hasLeft = true;
  }

  /** The number of the thread is going to be that of another. */
  forget(thread: number): void {
    while (this.#blocks.innermostOpen(thread) !== 0) this.end(thread);
    this.#chain[thread] = 0;
    this.#isOver[thread] = 0;
  }

  /** Whether what the thread does belongs to a family that is not refuted yet. */
  hasWatched(thread: number): boolean {
    return this.#watchedFrom(this.#chain[thread]) !== 0;
  }

  /**
   * Finds the blocks, outermost first, that are refuted by the conflict of what `from` did with what `to` does now, and
   * takes them from the watched ones. `HappensBefore` is looking at that earlier event.
   */
  refutedBy(from: number, to: number, refuted: number[]): void {
    refuted.length = 0;
    const innermost = this.#watchedFrom(this.#chain[to]);
    if (innermost === 0) return;
    // From here on outwards the earlier event is in the families, too.
    const shared = this.#depth[this.#meeting(innermost, this.#chain[from])];
    let at = innermost;
    while (!this.#isKnownOrShared(at, shared))
      at = this.#isKnownOrShared(this.#jump[at], shared) ? this.#outer[at] : this.#jump[at];
    for (at = this.#watchedFrom(at); this.#depth[at] > shared; at = this.#watchedFrom(at)) {
      refuted.push(at);
      this.#blocks.unwatch(at);
    }
    refuted.reverse();
  }

  #isKnownOrShared(block: number, shared: number): boolean {
    const watched = this.#watchedFrom(block);
    return this.#depth[watched] <= shared || this.#order.earlierKnows(watched);
  }

  /** The innermost block that is on both chains, or 0. */
  #meeting(one: number, other: number): number {
    const depth = Math.min(this.#depth[one], this.#depth[other]);
    let a = this.#upTo(one, depth);
    let b = this.#upTo(other, depth);
    while (a !== b) {
      const next = this.#jump[a] === this.#jump[b] ? this.#outer : this.#jump;
      a = next[a];
      b = next[b];
    }
    return a;
  }

  #upTo(block: number, depth: number): number {
    let at = block;
    while (this.#depth[at] > depth)
      at = this.#depth[this.#jump[at]] >= depth ? this.#jump[at] : this.#outer[at];
    return at;
  }

  /** The nearest block, from this one outwards, that is watched. */
  #watchedFrom(block: number): number {
    let found = block;
    while (found !== 0 && !this.#blocks.isWatched(found)) found = this.#beyond[found];
    for (let at = block; at !== found; ) {
      const next = this.#beyond[at];
      this.#beyond[at] = found;
      at = next;
    }
    return found;
  }

  #putInto(block: number, outer: number): void {
    const jump = this.#jump[outer];
    const isFull =
      this.#depth[outer] - this.#depth[jump] === this.#depth[jump] - this.#depth[this.#jump[jump]];
    this.#outer[block] = outer;
    this.#beyond[block] = outer;
    this.#jump[block] = isFull ? this.#jump[jump] : outer;
    this.#depth[block] = this.#depth[outer] + 1;
  }

  /** Takes out the blocks that are over, which nothing refers to when all chains have passed over them. */
  #takeOut(): void {
    const blocks = this.#blocks;
    if (this.#hasLeft) this.#closeLeft();
    for (let thread = 0; thread < this.#chain.length; thread++)
      this.#chain[thread] = this.#watchedFrom(this.#chain[thread]);
    const staying: number[] = [];
    const leaving: number[] = [];
    for (let block = 1; block < Math.min(blocks.end, this.#outer.length); block++) {
      if (!blocks.isHeld(block)) continue;
      if (!blocks.isOpen(block)) leaving.push(block);
      else {
        this.#outer[block] = this.#watchedFrom(this.#outer[block]);
        staying.push(block);
      }
    }
    // Whatever a block is in was begun before it.
    staying.sort((a, b) => blocks.beginEvent(a) - blocks.beginEvent(b));
    for (const block of staying) this.#putInto(block, this.#outer[block]);
    for (const block of leaving) blocks.release(block);
    this.#count = staying.length + 1;
    this.#most = Math.max(FEWEST, 2 * this.#count, this.#chain.length);
  }

  /** Closes the blocks left open by threads that are over in whose families nobody can act any more. */
  #closeLeft(): void {
    const isNeeded = new Uint8Array(this.#outer.length);
    for (let thread = 0; thread < this.#chain.length; thread++) {
      if (this.#isOver[thread] === 1) continue;
      for (let at = this.#chain[thread]; at !== 0 && isNeeded[at] === 0; at = this.#outer[at])
        isNeeded[at] = 1;
    }
    this.#hasLeft = false;
    for (let thread = 0; thread < this.#chain.length; thread++) {
      if (this.#isOver[thread] === 0) continue;
      for (let at = this.#blocks.innermostOpen(thread); at !== 0; at = this.#blocks.innermostOpen(thread)) {
        if (isNeeded[at] === 1) {
          this.#hasLeft = true;
          break;
        }
        this.end(thread);
      }
    }
  }
}
