import { syncBuiltinESMExports } from 'node:module';
import threads, { type Worker } from 'node:worker_threads';
import { IsolateState, MOST_ISOLATES, NUMBER, type Region, STATE, THREAD } from '../isolates/region.ts';
import { define } from '../support/patching.ts';

/** The program's own are replaced. */
const { load, store } = Atomics;

/*
 * Threads of our own take numbers, too: that of the checker and, before Node 22.15, those of hooks. The program sees the
 * numbers that its threads would have without us.
 */

/** Workers that have ended, while Node deals with it. */
const ending = new WeakSet<Worker>();

/** Node forgets a thread by its real number. */
function forgetByRealId(prototype: Worker, key: symbol): void {
  const end = Reflect.get(prototype, key) as (...values: unknown[]) => unknown;
  define(prototype, key, {
    ...Object.getOwnPropertyDescriptor(prototype, key),
    value(this: Worker, ...values: unknown[]) {
      ending.add(this);
      try {
        return Reflect.apply(end, this, values);
      } finally {
        ending.delete(this);
      }
    },
  });
}

/** Runs those who listen to a worker: they see the program's numbers, whatever Node is dealing with. */
export function withProgramIds<T>(worker: Worker, run: () => T): T {
  const isEnding = ending.delete(worker);
  try {
    return run();
  } finally {
    if (isEnding) ending.add(worker);
  }
}

/** The own `threadId` of a worker is its number among the program's workers. */
export function showThreadIds(
  region: () => Region | null,
  numberOf: (worker: Worker) => number | undefined,
): void {
  const { prototype } = threads.Worker;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'threadId');
  const real = descriptor?.get;
  if (descriptor === undefined || real === undefined) return;
  define(prototype, 'threadId', {
    ...descriptor,
    get(this: Worker) {
      const id = Reflect.apply(real, this, []);
      // -1 once it has ended.
      return id < 0 || ending.has(this) ? id : (numberOf(this) ?? id);
    },
  });
  const key = Object.getOwnPropertySymbols(prototype).find(({ description }) => description === 'kOnExit');
  if (key !== undefined) forgetByRealId(prototype, key);
  const post: unknown = Reflect.get(threads, 'postMessageToThread');
  if (typeof post === 'function')
    Reflect.set(
      threads,
      'postMessageToThread',
      function postMessageToThread(id: unknown, ...rest: unknown[]) {
        return Reflect.apply(post, undefined, [threadOf(region(), id), ...rest]);
      },
    );
}

/** What `threadId` of the module says in a worker. */
export function showOwnThreadId(number: number): void {
  Reflect.set(threads, 'threadId', number);
  syncBuiltinESMExports();
}

/** Notes which thread the worker is; to be called when it has been made. */
export function noteThread(region: Region, index: number, number: number, thread: number): void {
  store(region.isolate(index), NUMBER, number);
  store(region.isolate(index), THREAD, thread);
}

function threadOf(region: Region | null, id: unknown): unknown {
  for (let index = 1; region !== null && index < MOST_ISOLATES; index++) {
    const isolate = region.isolate(index);
    if (load(isolate, STATE) === IsolateState.alive && load(isolate, NUMBER) === id)
      return load(isolate, THREAD);
  }
  return id;
}
