/** Numbers pairs of integers in the order of their first appearance, anew for every chunk. */
export class Distinct {
  count = 0;
  /** The pairs by number. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Open addressing; holds number + 1, 0 for empty. Never more than half full. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  /** `capacity`: how many pairs there can be at most, a power of two. */
  constructor(capacity: number) {
    this.first = new Int32Array(capacity);
    this.second = new Int32Array(capacity);
    this.#slots = new Int32Array(capacity * 2);
    this.#mask = capacity * 2 - 1;
  }

  index(first: number, second: number): number {
    const slots = this.#slots;
    const hash = Math.imul(first ^ Math.imul(second, 0x5bd1e995), 0x9e3779b1);
    for (let slot = (hash >>> 15) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = slots[slot];
      if (entry === 0) {
        const added = this.count++;
        this.first[added] = first;
        this.second[added] = second;
        slots[slot] = added + 1;
        return added;
      }
      if (this.first[entry - 1] === first && this.second[entry - 1] === second) return entry - 1;
    }
  }

  clear(): void {
    this.count = 0;
    this.#slots.fill(0);
  }
}
