import type { Patches } from './patching.ts';
import { bindCombined } from './promises.ts';

/** Lets the results of `Promise.all` and its like stand for the tasks behind the promises that they were given. */
export function patchCombinators(patches: Patches): void {
  for (const name of ['all', 'allSettled', 'race', 'any'] as const) {
    const all = name === 'all' || name === 'allSettled';
    patches.replace(
      Promise,
      name,
      (original) =>
        function (this: unknown, elements: unknown) {
          const result = original.call(this, elements);
          bindCombined(elements, result, all);
          return result;
        },
    );
  }
}
