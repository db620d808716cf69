import timers from 'node:timers';
import { Activation, CALLBACK } from '../core/activation.ts';
import { beBusy } from '../core/idle-tasks.ts';
import { ENDED } from '../core/task.ts';
import type { Patches } from '../support/patching.ts';
import type { Recorder } from './recorder.ts';

type Callback = (...values: unknown[]) => unknown;

/** Callbacks of timers run in tasks that are forked where the timer was set. */
export function patchTimers(recorder: Recorder, patches: Patches): void {
  // What is both a global and a part of `node:timers` stays one function.
  const known = new Map<Callback, Callback>();
  const wrap = (kind: string, repeats: boolean) => (original: Callback) => {
    const before = known.get(original);
    if (before !== undefined) return before;
    const patched = function (this: unknown, ...values: unknown[]) {
      const callback = values[0];
      if (typeof callback === 'function' && recorder.tasks.current !== null)
        values[0] = inTask(recorder, kind, callback as Callback, repeats);
      return new.target === undefined
        ? Reflect.apply(original, this, values)
        : Reflect.construct(original, values, new.target);
    };
    known.set(original, patched);
    return patched;
  };
  for (const holder of [globalThis, timers]) {
    patches.replace(holder, 'setTimeout', wrap('timeout', false));
    patches.replace(holder, 'setInterval', wrap('interval', true));
    patches.replace(holder, 'setImmediate', wrap('immediate', false));
  }
  patches.replace(globalThis, 'queueMicrotask', wrap('microtask', false));
  patches.replace(process, 'nextTick', wrap('tick', false));
}

/** The callback, to be run in a task that is forked here. */
export function inTask(recorder: Recorder, kind: string, callback: Callback, repeats: boolean): Callback {
  const { tasks } = recorder;
  const { context } = tasks;
  // Only where it is known what else is registered with the event loop, which may come back to the task.
  const task = context.made === undefined || repeats ? tasks.reserve(kind, 0) : tasks.reserveCallback(kind);
  const registeredIn = tasks.current;
  // A task with a first activation of its own does not end with the callback.
  if (repeats) task.root = new Activation(CALLBACK, task, null, 0);
  return function (this: unknown, ...values: unknown[]) {
    recorder.callbacks.endStale();
    // Called by the program itself, so in the task that calls; or once more.
    if (recorder.tasks.current !== null || task.state === ENDED) return Reflect.apply(callback, this, values);
    const activation = recorder.callbacks.start(task, registeredIn);
    const made = context.made?.();
    try {
      return Reflect.apply(callback, this, values);
    } finally {
      if (task.idle !== null && made !== undefined && context.made?.() !== made + task.idle.given)
        beBusy(task);
      recorder.callbacks.end(activation);
    }
  };
}
