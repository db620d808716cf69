import { isObject } from './stamp.ts';

/** Is given what asks the iterator for a value, and calls it; gives what is to be awaited. */
type Asking = (ask: () => unknown) => unknown;

/**
 * What `for await` and `yield*` are given instead of `iterable`: the same, but says when a value is asked for. A loop over
 * something that cannot be iterated fails as it would have failed.
 */
export function watchedIterable<T>(iterable: T, asking: Asking): T {
  if (iterable === null || iterable === undefined) return iterable;
  const object = iterable as unknown as Record<symbol, unknown>;
  const makeAsync = object[Symbol.asyncIterator];
  if (makeAsync !== null && makeAsync !== undefined) {
    if (typeof makeAsync !== 'function') return iterable;
    return {
      [Symbol.asyncIterator]: () => watched(Reflect.apply(makeAsync, iterable, []), asking),
    } as T;
  }
  const make = object[Symbol.iterator];
  if (typeof make !== 'function') return iterable;
  // The loop awaits the values of these results, not the results.
  const seen: Asking = (ask) => {
    let result: unknown;
    asking(() => {
      result = ask();
      return result;
    });
    return result;
  };
  return { [Symbol.iterator]: () => watched(Reflect.apply(make, iterable, []), seen) } as T;
}

function watched(iterator: unknown, asking: Asking): unknown {
  return isObject(iterator) ? new WatchedIterator(iterator as Record<string, unknown>, asking) : iterator;
}

/**
 * The iterator, whose `next`, `return` and `throw` are called and looked up once as the loop does. A class: a literal with getters
 * has a shape of its own each time, and shapes live until all garbage is collected, with all that their getters know.
 */
class WatchedIterator {
  readonly #iterator: Record<string, unknown>;
  readonly #next: unknown;
  readonly #asking: Asking;

  constructor(iterator: Record<string, unknown>, asking: Asking) {
    this.#iterator = iterator;
    this.#next = iterator.next;
    this.#asking = asking;
  }

  next(...values: unknown[]): unknown {
    return this.#call(this.#next, values);
  }

  get return(): unknown {
    return this.#watched(this.#iterator.return);
  }

  get throw(): unknown {
    return this.#watched(this.#iterator.throw);
  }

  #watched(method: unknown): unknown {
    if (method === undefined || method === null) return method;
    return (...values: unknown[]) => this.#call(method, values);
  }

  #call(method: unknown, values: unknown[]): unknown {
    return this.#asking(() => Reflect.apply(method as () => unknown, this.#iterator, values));
  }
}
