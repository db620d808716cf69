import type { EventBatch } from '../trace/batch.ts';
import { Op } from '../trace/operation.ts';
import type { SeenEvent } from './witness.ts';

/** Finds out what events did of which only the numbers are known, in one pass over the trace. */
export class EventLookup {
  readonly #wanted: Float64Array;
  #next = 0;
  readonly #seen = new Map<number, SeenEvent>();

  constructor(events: Iterable<number>) {
    this.#wanted = Float64Array.from(new Set(events)).sort();
  }

  get isDone(): boolean {
    return this.#next === this.#wanted.length;
  }

  look(batch: EventBatch): void {
    const { firstEvent, length, op, thread, operand, location } = batch;
    while (this.#next < this.#wanted.length) {
      const event = this.#wanted[this.#next];
      const i = event - firstEvent;
      if (i >= length) return;
      this.#next++;
      if (i < 0 || op[i] === Op.skip) continue;
      this.#seen.set(event, {
        event,
        thread: thread[i],
        op: op[i] as SeenEvent['op'],
        operand: operand[i],
        location: location[i],
      });
    }
  }

  /** Undefined for an event that the trace has not, or that no analysis is shown. */
  get(event: number): SeenEvent | undefined {
    return this.#seen.get(event);
  }
}
