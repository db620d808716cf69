import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';
import { NONE } from './graph.ts';

/** The open blocks of every thread: the stacks C(t) of Velodrome §4.3. Blocks are numbered, and numbers reused. */
export class OpenBlocks {
  #label = new Int32Array(16);
  #begin = new Float64Array(16);
  #refuted = new Uint8Array(16);
  #depth = new Int32Array(16);
  /** The block around each one; free numbers are linked by it, too. */
  #around = new Int32Array(16);
  #innermost = new Int32Array(0);
  #free = NONE;
  #end = 0;

  innermost(thread: number): number {
    return thread < this.#innermost.length ? this.#innermost[thread] : NONE;
  }

  around(block: number): number {
    return this.#around[block];
  }

  begin(block: number): number {
    return this.#begin[block];
  }

  fact(block: number): BlockFact {
    return { label: this.#label[block], begin: this.#begin[block], depth: this.#depth[block] };
  }

  isRefuted(block: number): boolean {
    return this.#refuted[block] === 1;
  }

  refute(block: number): void {
    this.#refuted[block] = 1;
  }

  push(thread: number, label: number, event: number): void {
    this.#innermost = grownInt32(this.#innermost, thread + 1, NONE);
    let block = this.#free;
    if (block !== NONE) {
      this.#free = this.#around[block];
    } else {
      block = this.#end++;
      if (block === this.#label.length) this.#grow();
    }
    this.#label[block] = label;
    this.#begin[block] = event;
    this.#refuted[block] = 0;
    const around = this.#innermost[thread];
    this.#around[block] = around;
    this.#depth[block] = around === NONE ? 0 : this.#depth[around] + 1;
    this.#innermost[thread] = block;
  }

  pop(thread: number): void {
    const block = this.#innermost[thread];
    this.#innermost[thread] = this.#around[block];
    this.#around[block] = this.#free;
    this.#free = block;
  }

  #grow(): void {
    const length = 2 * this.#label.length;
    this.#label = grownInt32(this.#label, length);
    this.#around = grownInt32(this.#around, length);
    this.#depth = grownInt32(this.#depth, length);
    this.#begin = grownFloat64(this.#begin, length);
    this.#refuted = grownUint8(this.#refuted, length);
  }
}
