import { READ, WRITE } from './kinds.ts';
import type { Element, SharedMemory } from './shared-memory.ts';
import type { Change } from './units.ts';
import type { View } from './views.ts';

/*
 * What instrumented code is given in the place of a typed array, to do one access on. The array itself would do it later
 * than it is logged, and other threads are not going to wait for that.
 */

/** Values with a smaller index are handed over in one array, again and again. */
const SMALL = 1024;

type Elements = Record<number, number | bigint>;

const values: unknown[] = new Array(SMALL).fill(undefined);

/** Reads an element; returns something that has its value at the same index, until the next call. */
export function readStandIn(memory: SharedMemory, element: Element, site: number): object {
  const { index } = element;
  const value = readElement(memory, element, site);
  if (index >= SMALL) return { [index]: value };
  values[index] = value;
  return values;
}

function readElement(
  memory: SharedMemory,
  { array, view, index, offset }: Element,
  site: number,
): number | bigint {
  const elements = array as unknown as Elements;
  return memory.perform(view.memory, offset, view.size, site, READ, () => elements[index]);
}

/** Something on which an element can be read and written, once each. */
export function placeOf(memory: SharedMemory, element: Element, site: number): object {
  return new Proxy(NOTHING, new Place(memory, element, site));
}

/** What else is done to a stand-in does not matter: it is used for one key. */
const NOTHING = {};

class Place implements ProxyHandler<object> {
  readonly #memory: SharedMemory;
  readonly #element: Element;
  readonly #site: number;
  #change: Change | null = null;

  constructor(memory: SharedMemory, element: Element, site: number) {
    this.#memory = memory;
    this.#element = element;
    this.#site = site;
  }

  get(): unknown {
    const { units, recorder } = this.#memory;
    this.#change = units.beginChange(recorder.tasks.acting(), this.#site);
    return readElement(this.#memory, this.#element, this.#site);
  }

  set(_target: object, _key: PropertyKey, value: unknown): boolean {
    const { array, view, index, offset } = this.#element;
    const { units } = this.#memory;
    const change = this.#change;
    this.#change = null;
    const elements = array as unknown as Elements;
    // What the program has a part in, before anything is locked.
    const element = converted(view, value);
    const isBlock = change !== null && units.confirmChange(change);
    this.#memory.perform(view.memory, offset, view.size, this.#site, WRITE, () => {
      elements[index] = element;
    });
    if (change !== null) units.endChange(change, isBlock);
    return true;
  }
}

/** What the assignment of an element makes of a value. */
function converted(view: View, value: unknown): number | bigint {
  if (!view.isBig) return +(value as number);
  if (typeof value === 'bigint') return value;
  const one = new BigInt64Array(1);
  one[0] = value as bigint;
  return one[0];
}
