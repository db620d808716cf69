import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import type { Recorder } from '../runtime/recorder.ts';
import { define, type Patches } from '../support/patching.ts';
import { inTurn } from './completion.ts';
import { Gate } from './gate.ts';
import type { Point } from './point.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Function_ = (...values: unknown[]) => unknown;

/** What takes no callback that is called once, or gives no promise. */
const OTHERS: ReadonlySet<string> = new Set([
  ...['watch', 'watchFile', 'unwatchFile', 'glob', 'openAsBlob'],
  ...['createReadStream', 'createWriteStream'],
]);

/** The methods of a file handle that give a promise. */
const HANDLE_METHODS = [
  ...['read', 'readv', 'readFile', 'write', 'writev', 'writeFile', 'appendFile', 'truncate', 'stat'],
  ...['chmod', 'chown', 'utimes', 'sync', 'datasync', 'close'],
] as const;

/** Standard streams, of which nobody knows when something comes. */
const LAST_STREAM = 2;

/** Milliseconds: an operation may be one on a pipe. */
const PATIENCE = 100;

/** Lets operations on files begin one after the other, and end in the order of the clock. */
export class ScheduledFiles {
  readonly #clock: VirtualClock;
  readonly #recorder: Recorder;
  /** How long an operation takes, in milliseconds. */
  readonly #time: () => number;
  /** Who is going to go on when it is over. */
  readonly #point: () => Point | null;
  readonly #gate = new Gate(PATIENCE);

  constructor(clock: VirtualClock, recorder: Recorder, time: () => number, point: () => Point | null) {
    this.#clock = clock;
    this.#recorder = recorder;
    this.#time = time;
    this.#point = point;
  }

  patch(patches: Patches): void {
    for (const name of Object.keys(fs)) {
      if (OTHERS.has(name) || !/^[a-z]/.test(name) || name.endsWith('Sync')) continue;
      patches.replace(fs, name, (original) => this.#calling(original));
    }
    for (const name of Object.keys(fs.promises)) {
      if (OTHERS.has(name)) continue;
      patches.replace(fs.promises, name, (original) =>
        name === 'open' ? this.#opening(original) : this.#promising(original),
      );
    }
  }

  /** With a callback. */
  #calling(original: Function_): Function_ {
    const files = this;
    return function (this: unknown, ...values: unknown[]) {
      const last = values.length - 1;
      const callback = values[last];
      if (typeof callback !== 'function' || !files.#recorder.callbacks.isInProgram || !isFile(values[0]))
        return Reflect.apply(original, this, values);
      const entry = files.#clock.add(files.#time(), () => {});
      entry.isFile = true;
      entry.point = files.#point();
      const context = new AsyncResource('Operation');
      return files.#gate.begin((done) => {
        values[last] = function (this: unknown, ...results: unknown[]) {
          done();
          entry.run = () => context.runInAsyncScope(callback as Function_, this, ...results);
          files.#clock.come(entry);
        };
        try {
          return files.#recorder.callbacks.outside(() => Reflect.apply(original, this, values));
        } catch (error) {
          done();
          files.#clock.cancel(entry);
          throw error;
        }
      });
    };
  }

  #promising(original: Function_): Function_ {
    const files = this;
    return function (this: unknown, ...values: unknown[]) {
      // What fails at once fails in the same turn.
      if (!files.#recorder.callbacks.isInProgram || !isFound(this, values[0]))
        return Reflect.apply(original, this, values);
      const promise = new Promise((resolve, reject) => {
        files.#gate.begin((done) => {
          // Node makes some operations of others, which are none of the program's.
          const result = files.#recorder.callbacks.outside(
            () => Reflect.apply(original, this, values) as Promise<unknown>,
          );
          result.then(
            (value) => {
              done();
              resolve(value);
            },
            (error) => {
              done();
              reject(error);
            },
          );
        });
      });
      return inTurn(files.#clock, promise, files.#time(), { isFile: true, point: files.#point() });
    };
  }

  #opening(original: Function_): Function_ {
    const open = this.#promising(original);
    const files = this;
    return async function (this: unknown, ...values: unknown[]) {
      const handle = (await Reflect.apply(open, this, values)) as Record<string, unknown>;
      if (files.#recorder.callbacks.isInProgram) files.#watchHandle(handle);
      return handle;
    };
  }

  #watchHandle(handle: Record<string, unknown>): void {
    for (const name of HANDLE_METHODS) {
      const original = handle[name];
      if (typeof original !== 'function') continue;
      const value = this.#promising(original as Function_);
      define(handle, name, { value, configurable: true, writable: true, enumerable: false });
    }
  }
}

/** Whether a promise is asked for of a file handle, or of something that a file can be found by. */
function isFound(self: unknown, value: unknown): boolean {
  return isHandle(self) || isHandle(value) || isFile(value);
}

function isHandle(value: unknown): boolean {
  return value instanceof EventEmitter && 'fd' in value;
}

/**
 * Whether it is something that a file can be found by: with anything else the call fails at once, and has
 * to.
 */
function isFile(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value > LAST_STREAM;
  if (typeof value === 'string') return value !== '' && !value.includes('\0');
  return Buffer.isBuffer(value) || value instanceof URL;
}
