import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** So many runs add what they have compiled: which functions are needed differs with what is checked. */
const LEARNING_RUNS = 8;

/*
 * A file: how many runs added to it, how long the code is, the code twice, and the source. V8 trusts what it is given; to compare two
 * copies takes less time than a checksum, for which Node loads thirty modules.
 */
const RUNS_AT = 0;
const LENGTH_AT = 4;
/** V8 makes a copy of code that does not start at a multiple of 8. */
const HEADER_BYTES = 16;

export interface CachedCode {
  data: Uint8Array;
  runs: number;
  /** Whether there is little left to learn. */
  isComplete: boolean;
}

/**
 * Compiled code by the name of its file, in a folder of the user's own. It only saves time: whatever goes wrong with
 * it, the program runs without.
 */
export class CodeCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(name: string, source: Uint8Array): CachedCode | null {
    try {
      const path = this.#path(name);
      // Code that another user could have put there is not run.
      if (process.getuid !== undefined && statSync(path).uid !== process.getuid()) return null;
      const file = readFileSync(path);
      const length = file.readUInt32LE(LENGTH_AT);
      const data = file.subarray(HEADER_BYTES, HEADER_BYTES + length);
      const copy = file.subarray(HEADER_BYTES + length, HEADER_BYTES + 2 * length);
      if (!copy.equals(data) || !file.subarray(HEADER_BYTES + 2 * length).equals(source)) return null;
      const runs = file.readUInt32LE(RUNS_AT);
      return { data, runs, isComplete: runs >= LEARNING_RUNS };
    } catch {
      return null;
    }
  }

  /** Whether `write` can be of use; making the code to be written takes milliseconds. */
  isWritable(): boolean {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      accessSync(this.#folder, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  /** Puts the code of a file in the place of `before`. */
  write(name: string, source: Uint8Array, data: Uint8Array, before: CachedCode | null): void {
    const path = this.#path(name);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE((before?.runs ?? 0) + 1, RUNS_AT);
    header.writeUInt32LE(data.length, LENGTH_AT);
    // Others may be reading or writing it now: it appears whole or not at all.
    const draft = `${path}.${process.pid}.${Math.random()}`;
    try {
      writeFileSync(draft, Buffer.concat([header, data, data, source]), { mode: 0o600 });
      renameSync(draft, path);
    } catch {
      discard(draft);
    }
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.code`);
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Where nothing can be written, nothing can be removed.
  }
}

/** Where compiled code is kept: one folder for each Node, whose code no other understands. Null if there is none. */
export function cacheFolder(): string | null {
  const base = userCaches();
  return base === null ? null : join(base, 'trackside', `${process.version}-${process.arch}`);
}

/** What of the environment decides about it, for a thread that gets nothing else of that. */
export function cacheEnvironment(): Record<string, string> {
  const names = ['NODE_DISABLE_COMPILE_CACHE', 'XDG_CACHE_HOME', 'LOCALAPPDATA', 'HOME'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** The folder for caches of this user, as each system has it. */
export function userCaches(): string | null {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA ?? null;
  try {
    return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  } catch {
    return null;
  }
}
