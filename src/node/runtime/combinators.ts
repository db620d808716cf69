import { types } from 'node:util';
import type { Patches } from '../support/patching.ts';
import { Handover, handoversOf, noting, setHandover, setParts } from './handover.ts';
import { bindCombined, ownElements, recordsOf } from './promises.ts';
import type { Recorder } from './recorder.ts';

/**
 * Lets the results of `Promise.all` and its like stand for the tasks behind the promises that they were given, and notes
 * who settles what `Promise.withResolvers` makes.
 */
export function patchCombinators(recorder: Recorder, patches: Patches): void {
  for (const name of ['all', 'allSettled', 'race', 'any'] as const) {
    const all = name === 'all' || name === 'allSettled';
    patches.replace(
      Promise,
      name,
      (original) =>
        function (this: unknown, elements: unknown) {
          const result = original.call(this, elements);
          if (!types.isPromise(result)) return result;
          const promises = recordsOf(ownElements(elements));
          bindCombined(promises, result, all);
          if (all) setParts(result, handoversOf(promises));
          return result;
        },
    );
  }
  patches.replace(
    Promise,
    'withResolvers',
    (original) =>
      function (this: unknown) {
        const made = original.call(this) as { promise: object; resolve: (value: unknown) => void };
        if (recorder.tasks.current === null || this !== Promise) return made;
        const handover = new Handover(recorder.tasks.current, recorder.tasks.segment);
        setHandover(made.promise, handover);
        made.resolve = noting(recorder.tasks, handover, made.resolve);
        return made;
      },
  );
}
