import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { EventFlag } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { ObjectRecord } from '../core/object-record.ts';
import { define, type Patches } from '../support/patching.ts';
import { callerPlace } from './caller-place.ts';
import {
  COPYING,
  type FileAccess,
  isAppending,
  isExclusive,
  isNothing,
  isTruncating,
  OPERATIONS,
  type PathUse,
  truncating,
} from './file-operations.ts';
import { FileWrites, type UnfinishedWrite } from './file-writes.ts';
import type { KeptFiles } from './kept-files.ts';
import type { WriteFacts } from './recorder.ts';
import type { Sites } from './sites.ts';
import type { Touch } from './touch.ts';

type Function_ = (...values: unknown[]) => unknown;

/** Descriptors are numbers that the system uses again; this many are remembered. */
const MOST_DESCRIPTORS = 10_000;

/** Programs that write a new file for everything do not come back to most of them. */
const MOST_FILES = 50_000;

/** So many files of a folder are taken to be read when it is copied. */
const MOST_COPIED = 100;

/** Makes paths variables: what `fs` does to a file is an access to it by whoever asked for it. */
export class Files {
  readonly #touch: Touch;
  readonly #sites: Sites;
  readonly #displayPath: (absolute: string) => string;
  readonly #writes: FileWrites;
  readonly #records = new Map<string, ObjectRecord>();
  /** Paths of open descriptors. */
  readonly #descriptors = new Map<number, string>();
  /** What has been opened for writing, and not been closed. */
  readonly #unfinished = new Map<number, UnfinishedWrite>();
  /** What streams write, which say themselves when that is all. */
  readonly #streams = new Map<number, UnfinishedWrite>();
  /** `fs` calls itself: only the outermost call is what the program did. */
  #isInside = false;
  /** The same for what goes on in the meantime: copying a folder is done by many calls, one after the other. */
  readonly #copying = new AsyncLocalStorage<boolean>();

  readonly #kept: KeptFiles | null;

  constructor(
    touch: Touch,
    sites: Sites,
    displayPath: (absolute: string) => string,
    kept: KeptFiles | null = null,
  ) {
    this.#kept = kept;
    this.#touch = touch;
    this.#sites = sites;
    this.#displayPath = displayPath;
    this.#writes = new FileWrites(touch);
  }

  patch(patches: Patches): void {
    for (const [name, uses] of OPERATIONS) {
      for (const [holder, key] of [
        [fs, name],
        [fs, `${name}Sync`],
        [fs.promises, name],
      ] as const)
        patches.replace(holder, key, (original) => this.#operation(original, uses, key));
    }
    for (const name of ['open', 'openSync']) patches.replace(fs, name, (original) => this.#opening(original));
    for (const name of ['close', 'closeSync'])
      patches.replace(fs, name, (original) => this.#closing(original));
    patches.replace(fs.promises, 'open', (original) => this.#openingHandle(original));
    for (const [name, kind] of [
      ['read', Op.read],
      ['readv', Op.read],
      ['write', Op.write],
      ['writev', Op.write],
    ] as const)
      for (const key of [name, `${name}Sync`])
        patches.replace(fs, key, (original) => this.#onDescriptor(original, kind));
    for (const name of ['createReadStream', 'createWriteStream'] as const)
      patches.replace(fs, name, (original) => this.#stream(original, name === 'createReadStream'));
    syncBuiltinESMExports();
  }

  /** The current task writes this file, whoever does the writing for it. */
  written(file: unknown): void {
    if (this.#watches()) this.#use([file], [{ argument: 0, access: 'w' }], null);
  }

  #operation(original: Function_, uses: readonly PathUse[], name: string): Function_ {
    const files = this;
    const isAtOnce = name.endsWith('Sync');
    return function (this: unknown, ...values: unknown[]) {
      const writes = files.#watches() ? files.#use(values, uses, isAtOnce ? null : `fs.${name}`) : [];
      const run = () => files.#inside(() => Reflect.apply(original, this, values));
      return files.#finishing(writes, values, name === 'cp' ? () => files.#copy(values, run) : run);
    };
  }

  #copy(values: unknown[], run: () => unknown): unknown {
    const callback = values.at(-1);
    if (typeof callback === 'function')
      values[values.length - 1] = (...results: unknown[]) =>
        this.#copying.run(false, () => callback(...results));
    return this.#copying.run(true, run);
  }

  /** Does what takes its time, with a callback or a promise, and notes when it is over. */
  #finishing(writes: readonly UnfinishedWrite[], values: unknown[], run: () => unknown): unknown {
    if (writes.length === 0) return run();
    const finish = (hasWorked: boolean) => {
      for (const write of writes)
        if (hasWorked) this.#writes.finish(write);
        else this.#writes.giveUp(write);
    };
    const callback = values.at(-1);
    if (typeof callback === 'function')
      values[values.length - 1] = function (this: unknown, ...results: unknown[]) {
        finish((results[0] ?? null) === null);
        return Reflect.apply(callback, this, results);
      };
    const result = run();
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value: unknown) => {
        finish(true);
        return value;
      },
      (error: unknown) => {
        finish(false);
        throw error;
      },
    );
  }

  /** `name`: of an operation that takes its time; gives the writes of it that are not over. */
  #use(values: readonly unknown[], uses: readonly PathUse[], name: string | null): UnfinishedWrite[] {
    const site = this.#site();
    if (site < 0) return [];
    const writes: UnfinishedWrite[] = [];
    for (const { argument, access } of uses) {
      const file = this.#resolve(values[argument]);
      if (file === null) continue;
      const done = accessOf(access, values.slice(argument + 1));
      // What takes its time is a change when it begins; whether that leaves nothing is known by then.
      this.#access(file, done === 'w+' && isNothing(values[argument + 1]) ? '0' : done, site);
      if (uses === COPYING && access === 'r')
        for (const below of this.#below(file)) this.#access(below, 'r', site);
      if (done === 'w+' && name !== null) writes.push(this.#begin(file, name, site));
    }
    return writes;
  }

  /** The files of a folder that the program has had to do with. */
  #below(folder: string): string[] {
    const start = `${folder}${path.sep}`;
    return [...this.#records.keys()].filter((file) => file.startsWith(start)).slice(0, MOST_COPIED);
  }

  /** A file is being written that has just been emptied. */
  #begin(file: string, name: string, site: number): UnfinishedWrite {
    return this.#writes.begin(this.#recordOf(file), file, site, () => this.#sites.lineSite(site, name));
  }

  /** `fs.open`: reading and writing come later, by the descriptor; only `w` changes the file at once. */
  #opening(original: Function_): Function_ {
    const files = this;
    return function (this: unknown, ...values: unknown[]) {
      const file = files.#watches() ? files.#resolve(values[0]) : null;
      if (file === null) return Reflect.apply(original, this, values);
      const write = files.#open(file, values[1]);
      const opened = (descriptor: number) => {
        files.#remember(descriptor, file);
        if (write !== null) files.#unfinished.set(descriptor, write);
      };
      const callback = values.at(-1);
      if (typeof callback === 'function')
        values[values.length - 1] = function (this: unknown, error: unknown, descriptor: unknown) {
          if (typeof descriptor === 'number') opened(descriptor);
          return Reflect.apply(callback, this, [error, descriptor]);
        };
      const descriptor = files.#inside(() => Reflect.apply(original, this, values));
      if (typeof descriptor === 'number') opened(descriptor);
      return descriptor;
    };
  }

  #openingHandle(original: Function_): Function_ {
    const files = this;
    return function (this: unknown, ...values: unknown[]) {
      const file = files.#watches() ? files.#resolve(values[0]) : null;
      const opened = files.#inside(() => Reflect.apply(original, this, values));
      if (file === null || !(opened instanceof Promise)) return opened;
      const write = files.#open(file, values[1]);
      return opened.then((handle: object) => {
        files.#watchHandle(handle, file, write);
        return handle;
      });
    };
  }

  /** Opening a file for writing empties it, and what is to be in it comes bit by bit until it is closed. */
  #open(file: string, flags: unknown): UnfinishedWrite | null {
    const site = this.#site();
    if (site < 0) return null;
    if (isExclusive(flags)) this.#access(file, '?', site);
    if (isExclusive(flags) || !isTruncating(flags)) return null;
    this.#access(file, 'w', site);
    return this.#writes.beginInBlock(this.#recordOf(file), file, site);
  }

  #closing(original: Function_): Function_ {
    const files = this;
    return function (this: unknown, ...values: unknown[]) {
      const descriptor = values[0] as number;
      const write = files.#unfinished.get(descriptor);
      files.#unfinished.delete(descriptor);
      files.#streams.delete(descriptor);
      files.#descriptors.delete(descriptor);
      if (write !== undefined) files.#writes.finishInBlock(write);
      return Reflect.apply(original, this, values);
    };
  }

  #watchHandle(handle: object, file: string, opened: UnfinishedWrite | null): void {
    let write = opened;
    const { close } = handle as { close: Function_ };
    define(handle, 'close', {
      configurable: true,
      writable: true,
      enumerable: false,
      value: async () => {
        const closed = await Reflect.apply(close, handle, []);
        if (write !== null) this.#writes.finishInBlock(write);
        return closed;
      },
    });
    const files = this;
    const methods = [
      ...(['read', 'readFile', 'readv', 'readLines', 'createReadStream'] as const).map(
        (name) => [name, 'r'] as const,
      ),
      ...(['write', 'writev', 'truncate', 'createWriteStream'] as const).map((name) => [name, 'w'] as const),
      ['stat', '?'] as const,
      ['writeFile', 'w+'] as const,
      ['appendFile', 'u'] as const,
    ];
    for (const [name, access] of methods) {
      const original = (handle as Record<string, unknown>)[name];
      if (typeof original !== 'function') continue;
      define(handle, name, {
        configurable: true,
        writable: true,
        enumerable: false,
        value(this: unknown, ...values: unknown[]) {
          const site = files.#watches() ? files.#site() : -1;
          if (site >= 0)
            files.#access(file, files.#isPartOf(write) && access.startsWith('w') ? 'part' : access, site);
          if (site >= 0 && name === 'truncate' && truncating(values[0]) === '0')
            write ??= files.#writes.beginInBlock(files.#recordOf(file), file, site);
          const writes = site >= 0 && access === 'w+' ? [files.#begin(file, `FileHandle.${name}`, site)] : [];
          return files.#finishing(writes, values, () =>
            files.#inside(() => Reflect.apply(original, this, values)),
          );
        },
      });
    }
  }

  #onDescriptor(original: Function_, kind: typeof Op.read | typeof Op.write): Function_ {
    const files = this;
    return function (this: unknown, ...values: unknown[]) {
      const file = files.#watches() ? files.#descriptors.get(values[0] as number) : undefined;
      const site = file === undefined ? -1 : files.#site();
      const descriptor = values[0] as number;
      const write = files.#unfinished.get(descriptor) ?? files.#streams.get(descriptor) ?? null;
      const change = files.#isPartOf(write) ? 'part' : 'w';
      if (site >= 0) files.#access(file as string, kind === Op.read ? 'r' : change, site);
      return files.#inside(() => Reflect.apply(original, this, values));
    };
  }

  #stream(original: Function_, reads: boolean): Function_ {
    const files = this;
    return function (this: unknown, ...values: unknown[]) {
      const file = files.#watches() ? files.#resolve(values[0]) : null;
      const site = file === null ? -1 : files.#site();
      const access = reads ? 'r' : isAppending(values[1]) ? 'u' : 'w+';
      if (site >= 0) files.#access(file as string, access, site);
      const write =
        site >= 0 && access === 'w+' ? files.#begin(file as string, 'fs.createWriteStream', site) : null;
      const stream = files.#inside(() =>
        new.target === undefined
          ? Reflect.apply(original, this, values)
          : Reflect.construct(original, values, new.target),
      );
      if (write !== null) {
        const opened = (descriptor: number) => files.#streams.set(descriptor, write);
        files.#writes.finishWith(write, stream as Writable, () => files.#site() >= 0, opened);
      }
      return stream;
    };
  }

  /** Whether a call of `fs` is the program's: not one of ours, nor of Node before the program runs. */
  #watches(): boolean {
    return !this.#isInside && this.#touch.recorder.callbacks.isInProgram && this.#copying.getStore() !== true;
  }

  /** What is done to files meanwhile is not done by the program. */
  aside<T>(run: () => T): T {
    return this.#inside(run);
  }

  #inside<T>(run: () => T): T {
    const before = this.#isInside;
    this.#isInside = true;
    try {
      return run();
    } finally {
      this.#isInside = before;
    }
  }

  /** The calling line of the program; -1 if it is Node that loads a module. */
  #site(text = ''): number {
    const place = callerPlace((file) => this.#sites.hasFile(this.#displayPath(file)));
    return place === null ? -1 : this.#sites.find(this.#displayPath(place.path), place.line, 0, text);
  }

  #resolve(file: unknown): string | null {
    try {
      if (typeof file === 'number') return this.#descriptors.get(file) ?? null;
      if (file instanceof URL) return path.resolve(fileURLToPath(file));
      if (typeof file === 'string') return path.resolve(file);
      return Buffer.isBuffer(file) ? path.resolve(file.toString()) : null;
    } catch {
      return null;
    }
  }

  #remember(descriptor: number, file: string): void {
    if (this.#descriptors.size >= MOST_DESCRIPTORS) this.#descriptors.clear();
    this.#descriptors.set(descriptor, file);
  }

  #recordOf(file: string): ObjectRecord {
    let record = this.#records.get(file);
    if (record === undefined) {
      if (this.#records.size >= MOST_FILES) this.#records.clear();
      record = new ObjectRecord('file', `file ${this.#displayPath(file)}`);
      this.#records.set(file, record);
    }
    return record;
  }

  /** Whether a file that was opened for this is still being written, by the block that has opened it. */
  #isPartOf(write: UnfinishedWrite | null): boolean {
    return write !== null && this.#writes.isUnfinished(write);
  }

  #access(file: string, access: FileAccess | 'part', site: number): void {
    // Whoever looks whether there is a file may be about to make it.
    if (access !== 'r') this.#kept?.before(file);
    const record = this.#recordOf(file);
    if (access === 'u') this.#touch.update(record, record, file, site);
    else if (access === '?') this.#touch.variable(record, record, file, Op.read, site, PRESENCE);
    else if (access === 'part') this.#touch.variable(record, record, file, Op.write, site, PART);
    else if (access === '0') this.#touch.variable(record, record, file, Op.write, site, REMOVES);
    else this.#touch.variable(record, record, file, access === 'r' ? Op.read : Op.write, site);
  }
}

/** More of a file is there, and perhaps not all of it. */
const PART: WriteFacts = { flags: EventFlag.completes, isIdle: false };

/** Nothing is left of what was there. */
const REMOVES: WriteFacts = { flags: EventFlag.removes, isIdle: false };

/** A look whether there is a file. */
const PRESENCE: WriteFacts = { flags: EventFlag.presence, isIdle: false };

/** What an operation does to the file, by its arguments after that. */
function accessOf(access: PathUse['access'], [next, options]: readonly unknown[]): FileAccess {
  if (access === 'truncate') return truncating(next);
  return access === 'write-with-flag' ? writing(options) : access;
}

/** What writing a file with these options is. */
function writing(options: unknown): FileAccess {
  if (isExclusive(options)) return '?';
  return isAppending(options) ? 'u' : 'w+';
}
