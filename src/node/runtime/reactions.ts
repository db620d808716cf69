import { types } from 'node:util';
import { ENDED } from '../core/task.ts';
import { caught } from './caught.ts';
import type { Chain } from './chains.ts';
import { promiseRecord, tasksBehind } from './promises.ts';
import type { Recorder } from './recorder.ts';
import type { SchedulingPoints } from './scheduling.ts';
import { isAwaitedByMany, noteJoined, noteWaiter } from './single-flight.ts';
import { isObject } from './stamp.ts';

/**
 * A callback given to `then`, `catch` or `finally` of a promise, to be run in a task that is forked here and first
 * joins what the promise stood for. Null for anything that is not followed. `chain`: what comes of it.
 */
export function reaction(
  recorder: Recorder,
  promise: unknown,
  callback: unknown,
  site: number,
  isForFailure: boolean,
  points: SchedulingPoints | null,
  chain: Chain,
): ((...values: unknown[]) => unknown) | null {
  if (typeof callback !== 'function' || !types.isPromise(promise)) return null;
  const task = recorder.tasks.reserve('then', site);
  chain.tasks.push(task);
  const registeredIn = recorder.tasks.current;
  if (isForFailure && recorder.tasks.context.followReactions === undefined) {
    // Mostly it is never called, and nobody tells.
    recorder.tasks.overlap.release(task);
    if (registeredIn !== null) recorder.tasks.overlap.keep(registeredIn);
  }
  const record = promiseRecord(promise);
  if (record !== undefined && registeredIn !== null) noteWaiter(registeredIn, record);
  const run = function (this: unknown, ...values: unknown[]) {
    // Called by something else than the promise, or once more.
    if (task.state === ENDED) return Reflect.apply(callback, this, values);
    recorder.callbacks.endStale();
    caught(values[0]);
    const activation = recorder.callbacks.start(task, registeredIn);
    // Of two callbacks one is called.
    for (const other of chain.tasks) if (other !== task) recorder.tasks.giveUp(other);
    if (isForFailure) recorder.noteFailure();
    const before = tasksBehind(promise);
    if (before !== null) recorder.tasks.join(activation, before, true);
    if (record !== undefined && isAwaitedByMany(record)) noteJoined(activation, values[0]);
    let result: unknown;
    try {
      result = Reflect.apply(callback, this, values);
      if (isObject(result)) chain.isOpen = true;
      return result;
    } finally {
      recorder.callbacks.end(activation, isObject(result));
    }
  };
  const isScheduled = points !== null && registeredIn !== null;
  return isScheduled ? points.reacting(registeredIn, promise, run, site) : run;
}
