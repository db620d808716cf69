import type { Together } from '../shared/conflict-order.ts';
import type { BlockClocks } from './block-clocks.ts';
import type { HappensBefore } from './happens-before.ts';

/**
 * What many events know of watched blocks, so that a thread learns from all of them in one step: at a barrier in open blocks,
 * each departure comes after every arrival, and asking them one by one takes the square of their number.
 *
 * What an event knows of its own thread is kept apart: it refutes no block of that thread, though it may be among the events that
 * one of its own comes after.
 */
export class KnownTogether implements Together {
  readonly #order: HappensBefore;
  readonly #clocks: BlockClocks;
  /** What the events know of other threads. */
  ofOthers = 0;
  /** The blocks in which they are themselves. */
  own = 0;
  /** The latest of the events, by thread: what earlier ones of the thread know, it knows. */
  readonly times = new Map<number, number>();

  constructor(order: HappensBefore, clocks: BlockClocks) {
    this.#order = order;
    this.#clocks = clocks;
  }

  add(thread: number, time: number): void {
    this.times.set(thread, Math.max(time, this.times.get(thread) ?? 0));
    this.#order.addTo(this, thread, time);
  }

  drop(): void {
    this.#clocks.drop(this.ofOthers);
    this.#clocks.drop(this.own);
  }
}
