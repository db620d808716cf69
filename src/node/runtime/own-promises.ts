import { types } from 'node:util';
import type { Patches } from '../support/patching.ts';

/** Promises of which it is known that nothing from outside of the program settles them, and that an entry does. */
const own = new WeakSet<object>();

export function addOwnPromise(promise: unknown): void {
  if (types.isPromise(promise)) own.add(promise);
}

export function isOwnPromise(promise: object): boolean {
  return own.has(promise);
}

/** `Promise.resolve` and its like make such promises, unless they are given others. */
export function patchOwnPromises(patches: Patches): void {
  for (const name of ['resolve', 'reject', 'all', 'allSettled', 'race', 'any'])
    patches.replace(
      Promise,
      name,
      (original) =>
        function (this: unknown, ...values: unknown[]) {
          const result = Reflect.apply(original, this, values);
          if (!isFrom(values[0])) addOwnPromise(result);
          return result;
        },
    );
}

/** Whether it is a promise from elsewhere, or an array that has one. */
function isFrom(value: unknown): boolean {
  if (types.isPromise(value)) return !own.has(value);
  return (
    Array.isArray(value) &&
    !types.isProxy(value) &&
    value.some((each) => types.isPromise(each) && !own.has(each))
  );
}
