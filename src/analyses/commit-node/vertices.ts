import type { Periods } from './periods.ts';
import type { Copy } from './recorded-units.ts';
import type { Units } from './units.ts';

/** The unit of a vertex that stands for a thread without units. */
export const NO_UNIT = -1;

/**
 * The copies of units as vertices of a graph, numbered thread by thread and within a thread in its order. A
 * thread that acts but has no units has one vertex, because whoever forks or joins it waits for it all the same.
 */
export class Vertices {
  /** Where the vertices of each thread start. */
  readonly starts: Int32Array;
  readonly unit: Int32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;

  constructor(units: Units, periods: Periods) {
    const { threads } = periods;
    const order: { thread: number; key: number; unit: number }[] = [];
    const hasUnits = new Uint8Array(threads);
    for (let unit = 0; unit < units.size; unit++) {
      const thread = units.threadOf(unit);
      hasUnits[thread] = 1;
      order.push({ thread, key: units.keyOf(unit, 'first'), unit });
      if (units.keyOf(unit, 'last') !== units.keyOf(unit, 'first'))
        order.push({ thread, key: units.keyOf(unit, 'last'), unit });
    }
    for (let thread = 0; thread < threads; thread++)
      if (periods.hasEvents(thread) && hasUnits[thread] === 0) order.push({ thread, key: 0, unit: NO_UNIT });
    order.sort((a, b) => a.thread - b.thread || a.key - b.key);

    this.starts = new Int32Array(threads + 1);
    this.unit = new Int32Array(order.length);
    this.#first = new Int32Array(units.size).fill(-1);
    this.#last = new Int32Array(units.size);
    order.forEach(({ thread, unit }, vertex) => {
      this.starts[thread + 1]++;
      this.unit[vertex] = unit;
      if (unit === NO_UNIT) return;
      if (this.#first[unit] < 0) this.#first[unit] = vertex;
      this.#last[unit] = vertex;
    });
    for (let thread = 0; thread < threads; thread++) this.starts[thread + 1] += this.starts[thread];
  }

  get size(): number {
    return this.unit.length;
  }

  firstOf(unit: number): number {
    return this.#first[unit];
  }

  lastOf(unit: number): number {
    return this.#last[unit];
  }

  copyAt(vertex: number): Copy {
    return this.#first[this.unit[vertex]] === vertex ? 'first' : 'last';
  }
}
