import { IntList } from '../shared/int-list.ts';

const FEW_SLOTS = 64;

/** Numbers tuples of `width` integers in the order in which they are first seen. */
export class TupleTable {
  readonly #width: number;
  readonly #tuples: IntList;
  /** One more than the number of a tuple, or 0. */
  #slots = new Int32Array(FEW_SLOTS);
  #count = 0;
  /** Whether the last tuple that was asked for was new. */
  wasNew = false;

  constructor(width: number) {
    this.#width = width;
    this.#tuples = new IntList(64);
  }

  get size(): number {
    return this.#count;
  }

  /** A part of a tuple that has a number. */
  part(tuple: number, index: number): number {
    return this.#tuples.items[tuple * this.#width + index];
  }

  clear(): void {
    if (this.#count === 0) return;
    // A long unit must not make every later one pay for the room that it took.
    if (this.#slots.length > FEW_SLOTS) this.#slots = new Int32Array(FEW_SLOTS);
    else this.#slots.fill(0);
    this.#tuples.length = 0;
    this.#count = 0;
  }

  /** The number of the tuple; parts beyond the width are left out. */
  number(a: number, b: number, c = 0, d = 0): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(a, b, c, d) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const tuple = this.#slots[slot] - 1;
      if (this.#is(tuple, a, b, c, d)) {
        this.wasNew = false;
        return tuple;
      }
    }
    this.wasNew = true;
    this.#tuples.push(a);
    this.#tuples.push(b);
    if (this.#width > 2) this.#tuples.push(c);
    if (this.#width > 3) this.#tuples.push(d);
    this.#slots[slot] = ++this.#count;
    if (this.#count * 2 > this.#slots.length) this.#grow();
    return this.#count - 1;
  }

  #is(tuple: number, a: number, b: number, c: number, d: number): boolean {
    const { items } = this.#tuples;
    const at = tuple * this.#width;
    return (
      items[at] === a &&
      items[at + 1] === b &&
      (this.#width < 3 || items[at + 2] === c) &&
      (this.#width < 4 || items[at + 3] === d)
    );
  }

  #grow(): void {
    const { items } = this.#tuples;
    const width = this.#width;
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let tuple = 0; tuple < this.#count; tuple++) {
      const at = tuple * width;
      const c = width > 2 ? items[at + 2] : 0;
      const d = width > 3 ? items[at + 3] : 0;
      let slot = hashOf(items[at], items[at + 1], c, d) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = tuple + 1;
    }
  }
}

function hashOf(a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ b, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ c, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16) ^ d, 0x27d4eb2f);
  return hash ^ (hash >>> 15);
}
