import { types } from 'node:util';
import { Decoration } from '../core/decoration.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import { ENDED, type Task } from '../core/task.ts';
import { isAwaitedByMany, noteShared } from './single-flight.ts';
import { findRecordOfPromise, isObject, recordOf } from './stamp.ts';

/** A chain of `then`s hands on no more tasks than this: each one has joined what came before it. */
const LONGEST_CHAIN = 64;

/** The tasks that a promise stands for, and whether all of them are over when it is settled. */
export interface Behind {
  tasks: readonly Task[];
  areAll: boolean;
}

const behind = new Decoration<ObjectRecord, Behind>('object', () => ({ tasks: [], areAll: true }));

/** What stands behind a promise; null if that is no task of which anybody knows. */
export function behindOf(promise: ObjectRecord): Behind | null {
  return behind.of(promise);
}

/** What is known of a value if it is a promise. */
export function promiseRecord(value: unknown): ObjectRecord | undefined {
  // Most values that are awaited are none, and to ask about any object takes a while.
  return isObject(value) && types.isPromise(value) ? findRecordOfPromise(value) : undefined;
}

/** The tasks that a value stands for, if it is a promise for some. */
export function tasksBehind(value: unknown): readonly Task[] | null {
  const promise = promiseRecord(value);
  return (promise && behindOf(promise)?.tasks) ?? null;
}

/**
 * Tells which tasks were forked by the call that returned `value`. If that is an array of as many promises as there
 * are tasks (`items.map(work)`), each promise stands for its own.
 */
export function bind(value: unknown, tasks: readonly Task[]): void {
  if (types.isPromise(value)) {
    stand(value, tasks);
  } else if (Array.isArray(value) && !types.isProxy(value)) {
    if (value.length === tasks.length) {
      for (let i = 0; i < value.length; i++) if (types.isPromise(value[i])) stand(value[i], [tasks[i]]);
    } else {
      for (const promise of value) if (types.isPromise(promise)) stand(promise, tasks);
    }
  }
}

/** The promise stands for these tasks, and those that it stood for before. */
function stand(promise: object, tasks: readonly Task[]): void {
  const known = behind.in(recordOf(promise));
  if (known.tasks.length === 0) known.tasks = tasks;
  else known.tasks = [...new Set([...known.tasks.filter((task) => task.state !== ENDED), ...tasks])];
}

/** `result` is what `then` made of `promise`, with callbacks that run in these tasks. */
export function bindChained(promise: unknown, result: unknown, reactions: readonly Task[]): void {
  const from = promiseRecord(promise);
  const known = (from && behindOf(from)) ?? null;
  const before = known?.tasks ?? null;
  if (!types.isPromise(result) || (before === null && reactions.length === 0)) return;
  const all = before === null ? reactions : [...before.slice(-LONGEST_CHAIN), ...reactions];
  const record = recordOf(result);
  const chained = behind.in(record);
  chained.tasks = all;
  chained.areAll = known?.areAll ?? true;
  if (from !== undefined && isAwaitedByMany(from)) noteShared(record);
}

/** `result` is settled when all of the promises are, or when some of them are. */
export function bindCombined(promises: readonly ObjectRecord[], result: object, all: boolean): void {
  const tasks: Task[] = [];
  rounds++;
  for (const promise of promises)
    for (const task of behindOf(promise)?.tasks ?? NONE) {
      if (task.combinedIn === rounds) continue;
      task.combinedIn = rounds;
      tasks.push(task);
    }
  if (tasks.length === 0) return;
  const combined = behind.in(recordOf(result));
  combined.tasks = tasks;
  combined.areAll = all;
}

/** How often promises were combined. */
let rounds = 0;

const NONE: readonly Task[] = [];

/** What is known of the promises among some values. */
export function recordsOf(values: readonly unknown[]): ObjectRecord[] {
  const records: ObjectRecord[] = [];
  for (const value of values) {
    const record = promiseRecord(value);
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** The elements of an array or a set, without running the program's code. */
export function ownElements(elements: unknown): unknown[] {
  if (types.isProxy(elements)) return [];
  if (types.isSet(elements)) {
    const found: unknown[] = [];
    Set.prototype.forEach.call(elements, (element) => found.push(element));
    return found;
  }
  if (!Array.isArray(elements)) return [];
  const found: unknown[] = new Array(elements.length);
  for (let i = 0; i < elements.length; i++) found[i] = Object.getOwnPropertyDescriptor(elements, i)?.value;
  return found;
}
