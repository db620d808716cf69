import { types } from 'node:util';
import type { Activation } from '../core/activation.ts';
import { HERE } from '../core/log.ts';
import type { Patches } from '../support/patching.ts';
import { Handover, handoverOf, setHandover, setParts } from './handover.ts';
import { promiseRecord } from './promises.ts';
import type { Recorder } from './recorder.ts';

type BatchFunction = (this: unknown, keys: unknown, ...rest: unknown[]) => unknown;

/** A loader of the package `dataloader`: it keeps the function that loads a batch under this name. */
interface Loader {
  _batchLoadFn?: BatchFunction;
}

const then = Promise.prototype.then;

/**
 * `loader.load(key)` gives a promise that the loader settles when a function of the program has loaded a batch. The code in
 * between is the package's, so it is told here who was asked, and that the call of that function answers it.
 */
export function followLoads(prototype: object, recorder: Recorder, patches: Patches): void {
  /** What was asked for and is in no batch yet, by loader and key. */
  const asked = new WeakMap<object, Map<unknown, Handover[]>>();
  /** What a call of `loadMany` asks for. */
  let several: Handover[] | null = null;
  patches.replace(
    prototype,
    'loadMany',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const before = several;
        const parts: Handover[] = [];
        several = parts;
        try {
          const promise = Reflect.apply(original, this, values);
          if (types.isPromise(promise)) setParts(promise, parts);
          return promise;
        } finally {
          several = before;
        }
      },
  );
  patches.replace(
    prototype,
    'load',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const promise = Reflect.apply(original, this, values);
        const { current, segment } = recorder.tasks;
        if (current === null || !types.isPromise(promise)) return promise;
        // It is to be found in the trace when the batch is read for it.
        const asking = recorder.tasks.acting();
        recorder.tasks.log.push(HERE, asking.task, asking, null, 0);
        const known = promiseRecord(promise);
        // The same promise for all who ask for the same key.
        const shared = known === undefined ? null : handoverOf(known);
        if (shared !== null) {
          several?.push(shared);
          return promise;
        }
        const waiting = asked.get(this) ?? followBatches(this, recorder, asked);
        const handover = new Handover(current, segment);
        setHandover(promise, handover);
        several?.push(handover);
        const [key] = values;
        const others = waiting.get(key);
        if (others === undefined) waiting.set(key, [handover]);
        else others.push(handover);
        return promise;
      },
  );
}

/** Replaces the function that loads a batch, once for each loader. */
function followBatches(
  loader: Loader,
  recorder: Recorder,
  asked: WeakMap<object, Map<unknown, Handover[]>>,
): Map<unknown, Handover[]> {
  const waiting = new Map<unknown, Handover[]>();
  asked.set(loader, waiting);
  const { _batchLoadFn: load } = loader;
  if (typeof load !== 'function') return waiting;
  loader._batchLoadFn = function (keys, ...rest) {
    const handovers = taken(waiting, keys);
    const result = Reflect.apply(load, this, [keys, ...rest]);
    // Nobody of whom anything was known may have called it; then that began with the call.
    const caller = recorder.tasks.current;
    const server = caller === null ? null : lastCalledBy(caller);
    for (const handover of handovers) {
      handover.server = server;
      handover.isBatch = true;
    }
    const settled = () => {
      for (const handover of handovers) handover.isSettled = true;
    };
    if (types.isPromise(result)) Reflect.apply(then, result, [settled, settled]);
    else settled();
    return result;
  };
  return waiting;
}

/** Those who wait for these keys; a key may be asked for several times. */
function taken(waiting: Map<unknown, Handover[]>, keys: unknown): Handover[] {
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((key) => {
    const handovers = waiting.get(key) ?? [];
    waiting.delete(key);
    return handovers;
  });
}

/** The call that has just been made, or else whoever made it: then it is a function that nothing is known of. */
function lastCalledBy(caller: Activation): Activation {
  return caller.undecided ?? caller.recent?.at(-1)?.root ?? caller.answered ?? caller;
}
