import { SequenceTable } from './sequence-table.ts';

/** Numbers tuples of `width` integers, at most four, in the order in which they are first seen. */
export class TupleTable {
  readonly #width: number;
  readonly #tuples = new SequenceTable();
  readonly #asked = new Int32Array(4);
  /** Whether the last tuple that was asked for was new. */
  wasNew = false;

  constructor(width: number) {
    this.#width = width;
  }

  get size(): number {
    return this.#tuples.size;
  }

  /** A part of a tuple that has a number. */
  part(tuple: number, index: number): number {
    return this.#tuples.codes.items[tuple * this.#width + index];
  }

  clear(): void {
    this.#tuples.clear();
  }

  /** The number of the tuple; parts beyond the width are left out. */
  number(a: number, b: number, c = 0, d = 0): number {
    this.#ask(a, b, c, d);
    const known = this.#tuples.size;
    const tuple = this.#tuples.number(this.#asked, this.#width);
    this.wasNew = tuple === known;
    return tuple;
  }

  /** The number of the tuple if it is known, else -1. */
  find(a: number, b: number, c = 0, d = 0): number {
    this.#ask(a, b, c, d);
    return this.#tuples.find(this.#asked, this.#width);
  }

  #ask(a: number, b: number, c: number, d: number): void {
    const asked = this.#asked;
    asked[0] = a;
    asked[1] = b;
    asked[2] = c;
    asked[3] = d;
  }
}
