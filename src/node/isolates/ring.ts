import { CHECKER, CheckerState, PROGRESS, READ, type Region, SLEEPING, WRITTEN } from './region.ts';
import type { WordQueue } from './word-queue.ts';

/** The program's own are replaced. */
const { load, notify, store, wait } = Atomics;

/** A writer that found no room looks again after this time, should nobody wake it. */
const PATIENCE_MS = 100;

/** The checker thread is taken for dead if it does nothing for so long. */
const LONGEST_WAIT_MS = 30_000;

/**
 * The end of a ring at which an isolate writes. What it writes is there for the reader when it is published, and not in
 * part before: an isolate may be killed at any moment.
 */
export class RingWriter {
  readonly #region: Region;
  readonly #isolate: Int32Array;
  readonly #ring: Int32Array;
  readonly #mask: number;
  /** Words written so far, modulo 2^32, and how far there is known to be room. */
  #at: number;
  #room: number;
  /** Whether the checker thread is gone, and everything is thrown away. */
  #isDeaf = false;

  constructor(region: Region, index: number) {
    this.#region = region;
    this.#isolate = region.isolate(index);
    this.#ring = region.ring(index);
    this.#mask = this.#ring.length - 1;
    this.#at = load(this.#isolate, WRITTEN);
    this.#room = (load(this.#isolate, READ) + this.#ring.length) | 0;
  }

  /** The longest record, in words. */
  get longest(): number {
    return this.#ring.length >> 2;
  }

  /** Makes room for a record of so many words; waits for the reader if there is none. */
  begin(words: number): void {
    if (((this.#room - this.#at) | 0) < words) this.#waitFor(words);
  }

  put(word: number): void {
    this.#ring[this.#at & this.#mask] = word;
    this.#at = (this.#at + 1) | 0;
  }

  /** The reader may take all that was written. */
  publish(): void {
    store(this.#isolate, WRITTEN, this.#at);
    if (load(this.#region.header, SLEEPING) !== 0) this.#region.ringBell();
  }

  #waitFor(words: number): void {
    const isolate = this.#isolate;
    store(isolate, WRITTEN, this.#at);
    let progress = load(this.#region.header, PROGRESS);
    for (let waits = 0; ; waits++) {
      const read = load(isolate, READ);
      this.#room = (read + this.#ring.length) | 0;
      if (this.#isDeaf || load(this.#region.header, CHECKER) === CheckerState.failed) this.#giveUp();
      if (((this.#room - this.#at) | 0) >= words) return;
      this.#region.ringBell();
      wait(isolate, READ, read, PATIENCE_MS);
      const now = load(this.#region.header, PROGRESS);
      if (now !== progress) waits = 0;
      else if (waits * PATIENCE_MS > LONGEST_WAIT_MS) this.#giveUp();
      progress = now;
    }
  }

  /** Nobody is going to read: all is as if it had been read. */
  #giveUp(): void {
    this.#isDeaf = true;
    this.#room = (this.#at + this.#ring.length) | 0;
  }
}

/** Takes all that was published in a ring; returns how many words that was. */
export function readRing(region: Region, index: number, into: WordQueue): number {
  const isolate = region.isolate(index);
  const ring = region.ring(index);
  const start = load(isolate, READ);
  const end = load(isolate, WRITTEN);
  const count = (end - start) | 0;
  if (count === 0) return 0;
  const mask = ring.length - 1;
  const first = start & mask;
  const untilEdge = Math.min(count, ring.length - first);
  into.append(ring.subarray(first, first + untilEdge));
  if (untilEdge < count) into.append(ring.subarray(0, count - untilEdge));
  store(isolate, READ, end);
  notify(isolate, READ);
  return count;
}
