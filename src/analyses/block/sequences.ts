import { grownInt32 } from '../../trace/growable.ts';

/** Sequences of integers, each known by a number from 0 and kept once. */
export class Sequences {
  #cells = new Int32Array(1024);
  /** Where each sequence starts; one more for where the next will. */
  #start = new Int32Array(64);
  #count = 0;
  /** The numbers plus one, at places given by the hash, at most half of them taken. */
  #table = new Int32Array(64);

  get count(): number {
    return this.#count;
  }

  /** The number of a sequence; it is a new one if that is what `count` was before. */
  numberOf(cells: readonly number[]): number {
    const at = this.#find(cells);
    if (this.#table[at] > 0) return this.#table[at] - 1;
    const number = this.#count++;
    const start = this.#start[number];
    this.#cells = grownInt32(this.#cells, start + cells.length);
    this.#cells.set(cells, start);
    this.#start = grownInt32(this.#start, number + 2);
    this.#start[number + 1] = start + cells.length;
    this.#table[at] = number + 1;
    if (this.#count * 2 > this.#table.length) this.#grow();
    return number;
  }

  /** The number of a sequence, or -1. */
  find(cells: readonly number[]): number {
    return this.#table[this.#find(cells)] - 1;
  }

  get(number: number): Int32Array {
    return this.#cells.subarray(this.#start[number], this.#start[number + 1]);
  }

  #find(cells: ArrayLike<number>): number {
    let at = hash(cells) & (this.#table.length - 1);
    while (this.#table[at] > 0 && !this.#isEqual(this.#table[at] - 1, cells))
      at = (at + 1) & (this.#table.length - 1);
    return at;
  }

  #isEqual(number: number, cells: ArrayLike<number>): boolean {
    const start = this.#start[number];
    if (this.#start[number + 1] - start !== cells.length) return false;
    for (let i = 0; i < cells.length; i++) if (this.#cells[start + i] !== cells[i]) return false;
    return true;
  }

  #grow(): void {
    this.#table = new Int32Array(this.#table.length * 2);
    for (let number = 0; number < this.#count; number++)
      this.#table[this.#find(this.get(number))] = number + 1;
  }
}

function hash(cells: ArrayLike<number>): number {
  let hash = cells.length;
  for (let i = 0; i < cells.length; i++) {
    hash = Math.imul(hash ^ cells[i], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x85ebca6b) >>> 1;
}
