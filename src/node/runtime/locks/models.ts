import { types } from 'node:util';
import { dressed, Patches } from '../../support/patching.ts';
import { followLoads } from '../batch-loaders.ts';
import type { Recorder } from '../recorder.ts';
import { criticalSection, HeldLock, LockTable } from './hold.ts';

type Callback = (this: unknown, ...values: unknown[]) => unknown;

/** What a package exports, by name; `default` for what a CommonJS module is. */
export type Exports = Readonly<Record<string, unknown>>;

/**
 * Makes the critical sections of a package known. Returns what has to be exported in the place of the originals; most
 * need nothing, as the methods of their classes are replaced.
 */
export type LockModel = (
  exports: Exports,
  recorder: Recorder,
  fileWritten: (path: unknown) => void,
) => Exports;

const MODELS: ReadonlyMap<string, LockModel> = new Map<string, LockModel>([
  ['async-mutex', asyncMutex],
  ['async-lock', asyncLock],
  ['p-limit', pLimit],
  ['p-queue', pQueue],
  ['await-lock', awaitLock],
  ['steno', steno],
  ['dataloader', dataLoader],
]);

/** The model of a package of locks, or of one that writes files in turn or loads for others. Such a package is not instrumented itself. */
export function modelOf(packageName: string): LockModel | undefined {
  return MODELS.get(packageName);
}

/** The methods are replaced for as long as the process runs, as the package is loaded once. */
const patches = new Patches();

function prototypeOf(value: unknown): object | null {
  const prototype = typeof value === 'function' ? (value as { prototype?: unknown }).prototype : null;
  return typeof prototype === 'object' ? prototype : null;
}

/** The class itself, or what it is wrapped in. */
function classIn(exports: Exports, name: string): unknown {
  const found = exports[name] ?? exports.default;
  if (typeof found !== 'object' || found === null) return found;
  return (found as Record<string, unknown>)[name] ?? (found as { default?: unknown }).default;
}

/** `mutex.runExclusive(f)`, `const release = await mutex.acquire()`, `mutex.release()`. */
function asyncMutex(exports: Exports, recorder: Recorder): Exports {
  const prototype = prototypeOf(classIn(exports, 'Mutex'));
  if (prototype === null) return {};
  const locks = new LockTable('Mutex');
  const held = new WeakMap<object, HeldLock>();
  patches.replace(prototype, 'runExclusive', (original) =>
    sectionIn(recorder, original, (mutex) => locks.of(mutex)),
  );
  patches.replace(
    prototype,
    'acquire',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const activation = recorder.tasks.current;
        const result = Reflect.apply(original, this, values);
        // The package runs sections by `acquire` too, from its own code.
        if (activation === null || !types.isPromise(result) || isInSection) return result;
        return result.then((release: unknown) => {
          const lock = new HeldLock(recorder, locks.of(this), activation, 0);
          held.set(this, lock);
          if (typeof release !== 'function') return release;
          return dressed((...ignored: unknown[]) => {
            lock.release(recorder);
            return Reflect.apply(release, undefined, ignored);
          }, release);
        });
      },
  );
  replaceRelease(prototype, held, recorder);
  return {};
}

/** `lock.release()` gives back what `acquire` took. */
function replaceRelease(prototype: object, held: WeakMap<object, HeldLock>, recorder: Recorder): void {
  patches.replace(
    prototype,
    'release',
    (original) =>
      function (this: object, ...values: unknown[]) {
        held.get(this)?.release(recorder);
        return Reflect.apply(original, this, values);
      },
  );
}

/** Whether a package is starting a section: what it calls of itself meanwhile is not the program's. */
let isInSection = false;

/** A method whose first argument is the critical section. */
function sectionIn(
  recorder: Recorder,
  original: Callback,
  lockOf: (object: object) => Parameters<typeof criticalSection>[1] | null,
): Callback {
  return function (this: unknown, ...values: unknown[]) {
    const [callback] = values;
    const lock = typeof callback === 'function' ? lockOf(this as object) : null;
    if (lock !== null) values[0] = criticalSection(recorder, lock, callback as Callback);
    const before = isInSection;
    isInSection = true;
    try {
      return Reflect.apply(original, this, values);
    } finally {
      isInSection = before;
    }
  };
}

/** `lock.acquire(key, f)`; sections that call back when they are done are not followed. */
function asyncLock(exports: Exports, recorder: Recorder): Exports {
  const prototype = prototypeOf(classIn(exports, 'AsyncLock'));
  if (prototype === null) return {};
  const locks = new LockTable('AsyncLock');
  patches.replace(
    prototype,
    'acquire',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const [key, callback] = values;
        if (typeof key === 'string' && typeof callback === 'function' && callback.length === 0)
          values[1] = dressed(criticalSection(recorder, locks.of(this, key), callback as Callback), callback);
        return Reflect.apply(original, this, values);
      },
  );
  return {};
}

/** `const limit = pLimit(1)`: its sections exclude each other. */
function pLimit(exports: Exports, recorder: Recorder): Exports {
  const original = exports.default;
  if (typeof original !== 'function') return {};
  const locks = new LockTable('limit');
  const replacement = dressed(function (this: unknown, ...values: unknown[]) {
    const limit = Reflect.apply(original, this, values);
    if (typeof limit !== 'function' || concurrencyIn(values[0]) !== 1) return limit;
    return dressed(
      sectionIn(
        recorder,
        (...given) => Reflect.apply(limit, undefined, given),
        () => locks.of(limit),
      ),
      limit,
    );
  }, original);
  return { default: replacement };
}

function concurrencyIn(options: unknown): unknown {
  return typeof options === 'object' && options !== null
    ? (options as { concurrency?: unknown }).concurrency
    : options;
}

/** `new PQueue({ concurrency: 1 }).add(f)`. */
function pQueue(exports: Exports, recorder: Recorder): Exports {
  const prototype = prototypeOf(classIn(exports, 'PQueue'));
  if (prototype === null) return {};
  const locks = new LockTable('PQueue');
  patches.replace(prototype, 'add', (original) =>
    sectionIn(recorder, original, (queue) => (concurrencyIn(queue) === 1 ? locks.of(queue) : null)),
  );
  return {};
}

/** `await lock.acquireAsync()` … `lock.release()`. */
function awaitLock(exports: Exports, recorder: Recorder): Exports {
  const prototype = prototypeOf(classIn(exports, 'AwaitLock'));
  if (prototype === null) return {};
  const locks = new LockTable('AwaitLock');
  const held = new WeakMap<object, HeldLock>();
  const hold = (object: object, activation: typeof recorder.tasks.current) => {
    if (activation !== null) held.set(object, new HeldLock(recorder, locks.of(object), activation, 0));
  };
  patches.replace(
    prototype,
    'acquireAsync',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const activation = recorder.tasks.current;
        const result = Reflect.apply(original, this, values);
        if (!types.isPromise(result)) return result;
        return result.then((value: unknown) => {
          hold(this, activation);
          return value;
        });
      },
  );
  patches.replace(
    prototype,
    'tryAcquire',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const result = Reflect.apply(original, this, values);
        if (result === true) hold(this, recorder.tasks.current);
        return result;
      },
  );
  replaceRelease(prototype, held, recorder);
  return {};
}

/** `new DataLoader(batch).load(key)`: what `batch` reads belongs to those who have asked for its keys. */
function dataLoader(exports: Exports, recorder: Recorder): Exports {
  const prototype = prototypeOf(classIn(exports, 'DataLoader'));
  if (prototype !== null) followLoads(prototype, recorder, patches);
  return {};
}

/** `navigator.locks.request(name, f)`, where there is one. */
export function patchWebLocks(recorder: Recorder, patches: Patches): void {
  const { navigator } = globalThis as { navigator?: { locks?: object } };
  const manager = navigator?.locks;
  if (manager === undefined) return;
  const locks = new LockTable('lock');
  patches.replace(
    Object.getPrototypeOf(manager),
    'request',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const last = values.length - 1;
        const isShared = (values[1] as { mode?: unknown } | null)?.mode === 'shared';
        if (typeof values[last] === 'function' && !isShared)
          values[last] = criticalSection(
            recorder,
            locks.of(manager, String(values[0])),
            values[last] as Callback,
          );
        return Reflect.apply(original, this, values);
      },
  );
}

/**
 * `new Writer(file).write(data)`. Whoever comes while the file is being written hands its data to the task that does
 * so; still it is the caller that changes the file.
 */
function steno(exports: Exports, _recorder: Recorder, fileWritten: (path: unknown) => void): Exports {
  const prototype = prototypeOf(classIn(exports, 'Writer'));
  if (prototype === null) return {};
  patches.replace(
    prototype,
    'write',
    (original) =>
      function (this: { filename?: unknown }, ...values: unknown[]) {
        fileWritten(this.filename);
        return Reflect.apply(original, this, values);
      },
  );
  return {};
}
