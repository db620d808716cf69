import type { Periods } from './periods.ts';
import type { Copy } from './recorded-units.ts';
import type { Units } from './units.ts';

/** The unit of a vertex that stands for the start or the end of a thread, or for a thread without units. */
export const NO_UNIT = -1;

/**
 * The copies of units as vertices of a graph, numbered thread by thread and within a thread in its order. A
 * thread that acts but has no units has one vertex, because whoever forks or joins it waits for it all the same. If
 * there are messages, each thread has a vertex for its start and one for its end: a message that it sends before its
 * first unit comes after its fork, and one that it receives after its last unit comes before its join.
 */
export class Vertices {
  /** Where the vertices of each thread start. */
  readonly starts: Int32Array;
  readonly unit: Int32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;

  constructor(units: Units, periods: Periods) {
    const { threads, hasMessages } = periods;
    this.starts = new Int32Array(threads + 1);
    this.#first = new Int32Array(units.size).fill(-1);
    this.#last = new Int32Array(units.size);
    const copies = (unit: number) => (units.keyOf(unit, 'first') === units.keyOf(unit, 'last') ? 1 : 2);
    for (let unit = 0; unit < units.size; unit++) this.starts[units.threadOf(unit) + 1] += copies(unit);
    for (let thread = 0; thread < threads; thread++) {
      if (!periods.hasEvents(thread)) this.starts[thread + 1] = 0;
      else if (hasMessages) this.starts[thread + 1] += 2;
      else if (this.starts[thread + 1] === 0) this.starts[thread + 1] = 1;
      this.starts[thread + 1] += this.starts[thread];
    }

    /** Twice the unit, and one more for its last copy. */
    const order = new Int32Array(this.starts[threads]).fill(2 * NO_UNIT);
    const next = this.starts.slice();
    if (hasMessages)
      for (let thread = 0; thread < threads; thread++) if (periods.hasEvents(thread)) next[thread]++;
    for (let unit = 0; unit < units.size; unit++)
      for (let copy = 0; copy < copies(unit); copy++) order[next[units.threadOf(unit)]++] = 2 * unit + copy;
    const keyOf = (entry: number) => units.keyOf(entry >> 1, (entry & 1) === 0 ? 'first' : 'last');
    for (let thread = 0; thread < threads; thread++)
      order
        .subarray(this.starts[thread] + (hasMessages ? 1 : 0), next[thread])
        .sort((a, b) => keyOf(a) - keyOf(b));

    this.unit = order.map((entry) => entry >> 1);
    this.unit.forEach((unit, vertex) => {
      if (unit === NO_UNIT) return;
      if (this.#first[unit] < 0) this.#first[unit] = vertex;
      this.#last[unit] = vertex;
    });
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
