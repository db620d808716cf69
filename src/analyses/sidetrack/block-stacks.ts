import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import type { BlockFact } from '../analysis.ts';

/** The kinds of predictions, as bits of what a label was blamed for. */
export const BEFORE = 0;
export const IN = 1;
export const AFTER = 2;
const KINDS = 3;

/**
 * The stacks of open blocks, as linked lists that share their outer parts (SideTrack §4, "Blame assignment"):
 * to remember a stack is to keep one block of it. Blocks are numbered from 1, and numbers are used again when
 * the block has ended and nothing refers to it; 0 is the empty stack.
 *
 * Also which labels were blamed already, because each is blamed once for each kind.
 */
export class BlockStacks {
  /* Per thread: its innermost open block, and the number of the begin of its outermost one. */
  #innermost = new Int32Array(16);
  #transaction = new Float64Array(16);

  /* Per block. */
  #outer = new Int32Array(16);
  /**
   * A block further out, so chosen that a search takes logarithmic time (Myers 1983, random-access stacks).
   */
  #jump = new Int32Array(16);
  #depth = new Int32Array(16);
  #label = new Int32Array(16);
  #begin = new Float64Array(16);
  /** A digest of the labels from the outermost block to this one. */
  #path = new Int32Array(16);
  #references = new Int32Array(16);
  /** For each kind, a block further out; the labels of those between were all blamed. */
  #beyond = new Int32Array(16 * KINDS);
  readonly #free: number[] = [];
  #end = 1;

  /** Per label: a bit for each kind it was blamed for. */
  #blamed = new Uint8Array(16);

  begin(thread: number, label: number, event: number): void {
    if (thread >= this.#innermost.length) this.#reserveThread(thread);
    if (label >= this.#blamed.length) this.#blamed = grownUint8(this.#blamed, label + 1);
    const block = this.#free.pop() ?? this.#create();
    const outer = this.#innermost[thread];
    if (outer === 0) this.#transaction[thread] = event;
    else this.#references[outer]++;
    const jump = this.#jump[outer];
    const isFull =
      this.#depth[outer] - this.#depth[jump] === this.#depth[jump] - this.#depth[this.#jump[jump]];
    this.#outer[block] = outer;
    this.#jump[block] = isFull ? this.#jump[jump] : outer;
    this.#depth[block] = this.#depth[outer] + 1;
    this.#label[block] = label;
    this.#begin[block] = event;
    this.#path[block] = Math.imul(this.#path[outer] ^ (label + 1), 0x9e3779b1);
    this.#references[block] = 1;
    for (let kind = 0; kind < KINDS; kind++) this.#beyond[block * KINDS + kind] = outer;
    this.#innermost[thread] = block;
  }

  end(thread: number): void {
    const block = this.#innermost[thread];
    const outer = this.#outer[block];
    this.#innermost[thread] = outer;
    if (outer === 0) this.#transaction[thread] = 0;
    this.letGo(block);
  }

  /** The thread does nothing more, whatever it has open. */
  leave(thread: number): void {
    if (thread >= this.#innermost.length) return;
    while (this.#innermost[thread] !== 0) this.end(thread);
  }

  /** The number of the begin of the thread's outermost open block; 0 if it has none open. */
  transactionOf(thread: number): number {
    return thread < this.#transaction.length ? this.#transaction[thread] : 0;
  }

  /**
   * The innermost block that the thread has open now and had open at an earlier event of its own: the end of
   * the common prefix of the two stacks.
   */
  commonSince(thread: number, event: number): number {
    const begins = this.#begin;
    const jumps = this.#jump;
    let block = this.#innermost[thread];
    while (begins[block] > event) block = begins[jumps[block]] > event ? jumps[block] : this.#outer[block];
    return block;
  }

  /** Keeps a stack from being forgotten until it is let go. */
  keep(block: number): number {
    this.#references[block]++;
    return block;
  }

  letGo(block: number): void {
    while (block !== 0 && --this.#references[block] === 0) {
      this.#free.push(block);
      block = this.#outer[block];
    }
  }

  /** Equal for stacks with the same labels, and for hardly any others. */
  path(block: number): number {
    return this.#path[block];
  }

  fact(block: number): BlockFact {
    return { label: this.#label[block], begin: this.#begin[block], depth: this.#depth[block] - 1 };
  }

  /** The innermost block of the stack whose label was not yet blamed for this kind; 0 if all were. */
  unblamed(block: number, kind: number): number {
    const beyond = this.#beyond;
    const bit = 1 << kind;
    let found = block;
    while (found !== 0 && (this.#blamed[this.#label[found]] & bit) !== 0)
      found = beyond[found * KINDS + kind];
    while (block !== found) {
      const next = beyond[block * KINDS + kind];
      beyond[block * KINDS + kind] = found;
      block = next;
    }
    return found;
  }

  /**
   * Blames every label on the stack that was not yet blamed for this kind, and lists their blocks, outermost
   * first.
   */
  blame(block: number, kind: number, blocks: number[]): void {
    blocks.length = 0;
    let next = this.unblamed(block, kind);
    while (next !== 0) {
      this.#blamed[this.#label[next]] |= 1 << kind;
      blocks.push(next);
      next = this.unblamed(this.#outer[next], kind);
    }
    blocks.reverse();
  }

  #create(): number {
    const block = this.#end++;
    if (block < this.#outer.length) return block;
    this.#outer = grownInt32(this.#outer, this.#end);
    this.#jump = grownInt32(this.#jump, this.#end);
    this.#depth = grownInt32(this.#depth, this.#end);
    this.#label = grownInt32(this.#label, this.#end);
    this.#begin = grownFloat64(this.#begin, this.#end);
    this.#path = grownInt32(this.#path, this.#end);
    this.#references = grownInt32(this.#references, this.#end);
    this.#beyond = grownInt32(this.#beyond, this.#outer.length * KINDS);
    return block;
  }

  #reserveThread(thread: number): void {
    this.#innermost = grownInt32(this.#innermost, thread + 1);
    this.#transaction = grownFloat64(this.#transaction, thread + 1);
  }
}
