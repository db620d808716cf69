import { COUNTER, PENDING, type Region } from './region.ts';

/** The program's own are replaced. */
const { add, load, store } = Atomics;

/**
 * Gives numbers to what other isolates can see, so that all that was done in a program has one order. A number and what
 * it is for have to be taken together: in the order in which they are logged, and before anybody can see the effect.
 */
export class SequenceClock {
  readonly #header: Int32Array;
  readonly #isolate: Int32Array;
  /** How many numbers were given since all was handed over. While there are any, `PENDING` of the isolate is set. */
  pending = 0;

  constructor(region: Region, index: number) {
    this.#header = region.header;
    this.#isolate = region.isolate(index);
  }

  /** The next number; never 0, which stands for none. */
  take(): number {
    // 0 would mean that nothing is pending, and one less than need be does no harm.
    if (this.pending++ === 0) store(this.#isolate, PENDING, load(this.#header, COUNTER) || -1);
    const number = (add(this.#header, COUNTER, 1) + 1) | 0;
    return number === 0 ? this.take() : number;
  }

  /** Everything that has a number is in the ring. */
  settle(): void {
    if (this.pending === 0) return;
    this.pending = 0;
    store(this.#isolate, PENDING, 0);
  }
}

/** Whether number `a` was given before `b`: numbers wrap around. */
export function isBefore(a: number, b: number): boolean {
  return ((a - b) | 0) < 0;
}
