import { types } from 'node:util';
import type { Activation } from '../../core/activation.ts';
import { LockRecord } from '../../core/lock-record.ts';
import type { Recorder } from '../recorder.ts';

/** Whatever a section returns, with the lock released when that is settled. */
async function untilReleased<T>(recorder: Recorder, lock: HeldLock, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } finally {
    lock.release(recorder);
  }
}

/** One acquire of a lock, to be released once. */
export class HeldLock {
  readonly #lock: LockRecord;
  #acquisition: number | null;

  /** Nothing is recorded if another task holds the lock: then it is none, whatever it is called. */
  constructor(recorder: Recorder, lock: LockRecord, activation: Activation, site: number) {
    this.#lock = lock;
    this.#acquisition = recorder.acquire(lock, activation, site);
  }

  release(recorder: Recorder): void {
    if (this.#acquisition !== null) recorder.release(this.#lock, this.#acquisition);
    this.#acquisition = null;
  }
}

/** Runs code that holds a lock, in the task that is running. */
export function holdLock<T>(recorder: Recorder, lock: LockRecord, site: number, run: () => T): T {
  const held = new HeldLock(recorder, lock, recorder.tasks.acting(), site);
  let result: T;
  try {
    result = run();
  } catch (error) {
    held.release(recorder);
    throw error;
  }
  if (types.isPromise(result)) return untilReleased(recorder, held, result) as T;
  held.release(recorder);
  return result;
}

type Callback = (this: unknown, ...values: unknown[]) => unknown;

/**
 * A callback that a package calls as soon as it has got a lock. Unless that is at once, it runs in a task that is
 * forked here, as the callback of a timer does.
 */
export function criticalSection(recorder: Recorder, lock: LockRecord, callback: Callback): Callback {
  if (recorder.tasks.current === null) return callback;
  const task = recorder.tasks.reserve('section', 0);
  const registeredIn = recorder.tasks.current;
  return function (this: unknown, ...values: unknown[]) {
    const run = () => Reflect.apply(callback, this, values);
    if (recorder.tasks.current !== null) return holdLock(recorder, lock, 0, run);
    const activation = recorder.callbacks.start(task, registeredIn);
    const held = new HeldLock(recorder, lock, recorder.tasks.acting(), 0);
    let result: unknown;
    try {
      result = run();
    } catch (error) {
      held.release(recorder);
      recorder.callbacks.end(activation);
      throw error;
    }
    if (!types.isPromise(result)) {
      held.release(recorder);
      recorder.callbacks.end(activation);
      return result;
    }
    recorder.tasks.nest(activation, 0);
    recorder.tasks.suspend(activation, null);
    return endSection(recorder, activation, held, result);
  };
}

async function endSection(
  recorder: Recorder,
  activation: Activation,
  held: HeldLock,
  result: Promise<unknown>,
): Promise<unknown> {
  try {
    return await result;
  } finally {
    recorder.tasks.resume(activation);
    held.release(recorder);
    recorder.callbacks.end(activation);
  }
}

/** The locks of a package: one for each of its objects, and each key if they have keys. */
export class LockTable {
  readonly #kind: string;
  readonly #locks = new WeakMap<object, Map<unknown, LockRecord>>();
  #count = 0;

  constructor(kind: string) {
    this.#kind = kind;
  }

  of(object: object, key?: string): LockRecord {
    let byKey = this.#locks.get(object);
    if (byKey === undefined) {
      byKey = new Map();
      this.#locks.set(object, byKey);
    }
    let lock = byKey.get(key);
    if (lock === undefined) {
      lock = new LockRecord(`${this.#kind}#${++this.#count}${key === undefined ? '' : `[${keyText(key)}]`}`);
      byKey.set(key, lock);
    }
    return lock;
  }
}

function keyText(key: string): string {
  return JSON.stringify(key.length <= 60 ? key : `${key.slice(0, 60)}…`);
}
