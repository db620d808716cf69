/** A relation on the integers 0 … size - 1, as one row of bits for each. */
export class Relation {
  readonly #words: number;
  readonly #bits: Uint32Array;

  constructor(size: number) {
    this.#words = (size + 31) >>> 5;
    this.#bits = new Uint32Array(this.#words * size);
  }

  has(row: number, column: number): boolean {
    return ((this.#bits[row * this.#words + (column >>> 5)] >>> (column & 31)) & 1) === 1;
  }

  add(row: number, column: number): void {
    this.#bits[row * this.#words + (column >>> 5)] |= 1 << (column & 31);
  }

  /** Adds to `row` whatever `other` has. */
  addAll(row: number, other: number): void {
    const to = row * this.#words;
    const from = other * this.#words;
    for (let word = 0; word < this.#words; word++) this.#bits[to + word] |= this.#bits[from + word];
  }
}
