import timers from 'node:timers';
import { Activation, CALLBACK } from '../core/activation.ts';
import { beBusy } from '../core/idle-tasks.ts';
import { ENDED, type Task } from '../core/task.ts';
import { Given } from '../support/given.ts';
import type { Patches } from '../support/patching.ts';
import type { Recorder } from './recorder.ts';
import { isObject } from './stamp.ts';

type Callback = (...values: unknown[]) => unknown;

const TIMEOUT = 'timeout';

/** Whoever sets a timer that long, or sets it again when it fires, goes on by itself. */
const LONG_MS = 1000;

/** Ties a timer to the task of its callback, as in `stamp.ts`. */
class Tied extends Given {
  readonly #task: Task;

  constructor(timer: object, task: Task) {
    super(timer);
    this.#task = task;
  }

  static find(timer: object): Task | null {
    return #task in timer ? (timer as Tied).#task : null;
  }
}

/** Callbacks of timers run in tasks that are forked where the timer was set. */
export function patchTimers(recorder: Recorder, patches: Patches): void {
  // What is both a global and a part of `node:timers` stays one function.
  const known = new Map<Callback, Callback>();
  const wrap = (kind: string, repeats: boolean) => (original: Callback) => {
    const before = known.get(original);
    if (before !== undefined) return before;
    const patched = function (this: unknown, ...values: unknown[]) {
      const callback = values[0];
      let task: Task | null = null;
      if (typeof callback === 'function' && recorder.tasks.current !== null) {
        task = taskFor(recorder, kind, repeats, values[1]);
        values[0] = inTask(recorder, task, callback as Callback);
      }
      const made: unknown =
        new.target === undefined
          ? Reflect.apply(original, this, values)
          : Reflect.construct(original, values, new.target);
      if (task !== null && kind === TIMEOUT && isObject(made)) new Tied(made, task);
      return made;
    };
    known.set(original, patched);
    return patched;
  };
  const clear = (original: Callback) => {
    const before = known.get(original);
    if (before !== undefined) return before;
    const patched = function (this: unknown, ...values: unknown[]) {
      const task = isObject(values[0]) ? Tied.find(values[0]) : null;
      if (task !== null) recorder.tasks.giveUp(task);
      return Reflect.apply(original, this, values);
    };
    known.set(original, patched);
    return patched;
  };
  for (const holder of [globalThis, timers]) {
    patches.replace(holder, 'clearTimeout', clear);
    patches.replace(holder, 'clearInterval', clear);
    patches.replace(holder, 'setTimeout', wrap(TIMEOUT, false));
    patches.replace(holder, 'setInterval', wrap('interval', true));
    patches.replace(holder, 'setImmediate', wrap('immediate', false));
  }
  patches.replace(globalThis, 'queueMicrotask', wrap('microtask', false));
  patches.replace(process, 'nextTick', wrap('tick', false));
}

/** A task for a callback, which is forked here. */
function taskFor({ tasks }: Recorder, kind: string, repeats: boolean, delay: unknown): Task {
  if (repeats) {
    const task = tasks.reserve(kind, 0, true);
    // A task with a first activation of its own does not end with the callback.
    task.root = new Activation(CALLBACK, task, null, 0);
    return task;
  }
  // Only where it is known what else is registered with the event loop, which may come back to the task.
  const isLater = kind === TIMEOUT && (Number(delay) >= LONG_MS || tasks.current?.task.kind === TIMEOUT);
  return tasks.context.made === undefined
    ? tasks.reserve(kind, 0, isLater)
    : tasks.reserveCallback(kind, isLater);
}

/** The callback, to be run in the task. */
function inTask(recorder: Recorder, task: Task, callback: Callback): Callback {
  const { context } = recorder.tasks;
  const registeredIn = recorder.tasks.current;
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
