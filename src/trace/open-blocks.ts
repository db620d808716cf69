import { grownInt32 } from './growable.ts';

/** There is no such block: 0, as arrays of integers start. */
const NONE = 0;

/**
 * The labels of each thread's open blocks. In two arrays for all threads instead of one for each: of the events that are no
 * accesses, most begin and end blocks, and of a million threads, few have a block open at a time.
 */
export class OpenBlocks {
  /** By thread: its innermost block. */
  #innermost = new Int32Array(16);
  /** By block: its label, and the block around it; or, of one that is over, the next one to be used again. */
  #labels = new Int32Array(16);
  #outer = new Int32Array(16);
  #free = NONE;
  #count = 1;

  /** So many threads may have blocks. */
  makeRoom(threads: number): void {
    this.#innermost = grownInt32(this.#innermost, threads);
  }

  begin(thread: number, label: number): void {
    let block = this.#free;
    if (block === NONE) block = this.#another();
    else this.#free = this.#outer[block];
    this.#labels[block] = label;
    this.#outer[block] = this.#innermost[thread];
    this.#innermost[thread] = block;
  }

  /** The label of the thread's innermost block, or -1. */
  innermost(thread: number): number {
    const block = this.#innermost[thread];
    return block === NONE ? -1 : this.#labels[block];
  }

  /** Ends the innermost block, which there must be. */
  end(thread: number): void {
    const block = this.#innermost[thread];
    this.#innermost[thread] = this.#outer[block];
    this.#outer[block] = this.#free;
    this.#free = block;
  }

  /** Ends all of them. */
  forget(thread: number): void {
    while (this.#innermost[thread] !== NONE) this.end(thread);
  }

  #another(): number {
    const block = this.#count++;
    this.#labels = grownInt32(this.#labels, this.#count);
    this.#outer = grownInt32(this.#outer, this.#count);
    return block;
  }
}
