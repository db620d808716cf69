/** A small, fast, seeded generator of random numbers (a 32-bit xorshift); the same seed gives the same trace. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Spread small seeds over all bits, and keep off zero, where xorshift stays.
    this.#state = (Math.imul(seed | 0, 0x9e3779b1) ^ 0x5bd1e995) | 0;
    if (this.#state === 0) this.#state = 1;
    for (let i = 0; i < 8; i++) this.next();
  }

  /** A non-negative integer below 2^31. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x & 0x7fffffff;
  }

  below(bound: number): number {
    return this.next() % bound;
  }

  chance(probability: number): boolean {
    return this.next() < probability * 0x7fffffff;
  }
}
