import { IntList } from './int-list.ts';

const FEW_SLOTS = 64;

/**
 * Keeps every list of integers once, and numbers them in the order in which they are first seen. The one hash table of the
 * analyses: `TupleTable` and `PairTable` are made of it.
 */
export class SequenceTable {
  /** All lists, one after the other. */
  readonly codes = new IntList(256);
  /** Where each list starts, and after the last one where it ends. */
  readonly starts = new IntList(64);
  /** One more than the number of a list, or 0. */
  #slots = new Int32Array(FEW_SLOTS);
  readonly #hashes = new IntList(64);

  constructor() {
    this.starts.push(0);
  }

  get size(): number {
    return this.starts.length - 1;
  }

  start(sequence: number): number {
    return this.starts.items[sequence];
  }

  lengthOf(sequence: number): number {
    return this.starts.items[sequence + 1] - this.starts.items[sequence];
  }

  /** The number of the list that `codes` starts with. */
  number(codes: Int32Array, length: number): number {
    const hash = hashOf(codes, length);
    const slot = this.#slot(codes, length, hash);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    const at = this.codes.extend(length);
    for (let i = 0; i < length; i++) this.codes.items[at + i] = codes[i];
    this.starts.push(at + length);
    this.#hashes.push(hash);
    this.#slots[slot] = this.size;
    if (this.size * 2 > this.#slots.length) this.#grow();
    return this.size - 1;
  }

  /** The number of that list if it is known, else -1. */
  find(codes: Int32Array, length: number): number {
    return this.#slots[this.#slot(codes, length, hashOf(codes, length))] - 1;
  }

  clear(): void {
    if (this.size === 0) return;
    // What was long once must not make every later use pay for the room that it took.
    if (this.#slots.length > FEW_SLOTS) this.#slots = new Int32Array(FEW_SLOTS);
    else this.#slots.fill(0);
    this.codes.length = 0;
    this.starts.length = 1;
    this.#hashes.length = 0;
  }

  /** The integers of a list. */
  get(sequence: number): Int32Array {
    return this.codes.items.subarray(this.start(sequence), this.starts.items[sequence + 1]);
  }

  /** Where the list is, or would be. */
  #slot(codes: Int32Array, length: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const sequence = this.#slots[slot] - 1;
      if (this.#hashes.items[sequence] === hash && this.#is(sequence, codes, length)) break;
    }
    return slot;
  }

  #is(sequence: number, codes: Int32Array, length: number): boolean {
    if (this.lengthOf(sequence) !== length) return false;
    const start = this.start(sequence);
    for (let i = 0; i < length; i++) if (this.codes.items[start + i] !== codes[i]) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let sequence = 0; sequence < this.size; sequence++) {
      let slot = this.#hashes.items[sequence] & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = sequence + 1;
    }
  }
}

/** A number that lists with different contents rarely share. */
function hashOf(codes: Int32Array, length: number): number {
  let hash = length;
  for (let i = 0; i < length; i++) hash = mixed(hash, codes[i]);
  return hash;
}

export function mixed(hash: number, code: number): number {
  const next = Math.imul(hash ^ code, 0x9e3779b1);
  return next ^ (next >>> 15);
}
