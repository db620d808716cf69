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

/** The iterator, whose `next`, `return` and `throw` are called and looked up once as the loop does. */
function watched(iterator: unknown, asking: Asking): unknown {
  if (!isObject(iterator)) return iterator;
  const source = iterator as Record<string, unknown>;
  const { next } = source;
  const call = (method: unknown, values: unknown[]) =>
    asking(() => Reflect.apply(method as () => unknown, iterator, values));
  return {
    next: (...values: unknown[]) => call(next, values),
    get return() {
      const method = source.return;
      return method === undefined || method === null
        ? method
        : (...values: unknown[]) => call(method, values);
    },
    get throw() {
      const method = source.throw;
      return method === undefined || method === null
        ? method
        : (...values: unknown[]) => call(method, values);
    },
  };
}
