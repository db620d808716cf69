const FREE = -1;

/** A map from pairs of integers from 0 on to integers, in one typed array. */
export class PairTable {
  /** First, second, value; three cells an entry. The first is `FREE` where there is none. */
  #cells = new Int32Array(3 * 64).fill(FREE);
  #mask = 63;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The value of a pair, or -1. */
  get(first: number, second: number): number {
    const cells = this.#cells;
    const at = this.#find(first, second);
    return cells[at] === FREE ? -1 : cells[at + 2];
  }

  /** The value of a pair; for a new one, that is how many others came before it. */
  number(first: number, second: number): number {
    const known = this.get(first, second);
    if (known >= 0) return known;
    this.set(first, second, this.#size);
    return this.#size - 1;
  }

  set(first: number, second: number, value: number): void {
    const at = this.#find(first, second);
    const isNew = this.#cells[at] === FREE;
    this.#cells[at] = first;
    this.#cells[at + 1] = second;
    this.#cells[at + 2] = value;
    // At most half full, so that a search ends soon.
    if (isNew && ++this.#size * 2 > this.#mask) this.#grow();
  }

  /** Where the pair is, or where it would be. */
  #find(first: number, second: number): number {
    const cells = this.#cells;
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 0x7f4a7c15, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    let index = (hash ^ (hash >>> 13)) & this.#mask;
    for (;;) {
      const at = index * 3;
      if (cells[at] === FREE || (cells[at] === first && cells[at + 1] === second)) return at;
      index = (index + 1) & this.#mask;
    }
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Int32Array(old.length * 2).fill(FREE);
    this.#mask = this.#mask * 2 + 1;
    for (let i = 0; i < old.length; i += 3) {
      if (old[i] === FREE) continue;
      const at = this.#find(old[i], old[i + 1]);
      for (let cell = 0; cell < 3; cell++) this.#cells[at + cell] = old[i + cell];
    }
  }
}
