import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CachedScripts } from './cached-scripts.ts';
import { CodeCache, cacheFolder } from './code-cache.ts';

/** The CommonJS files of a folder of ours. */
export interface Scripts {
  require(id: string): unknown;
  /** Keeps what was compiled for the next time. */
  keep(): void;
}

/**
 * Loads them with what earlier runs have compiled, if that can be kept; `require` is for all that lies elsewhere. Compiled code
 * knows the path of its file, so each place where we are installed has its own; and so has each kind of `user`, who needs other
 * functions of the same files.
 */
export function scriptsIn(folder: string, require: (id: string) => unknown, user = ''): Scripts {
  const cache = process.env.NODE_DISABLE_COMPILE_CACHE ? null : cacheFolder();
  if (cache === null) return { require, keep() {} };
  const own = join(cache, crc32(folder + user).toString(36));
  return new CachedScripts(folder, require, new CodeCache(own));
}
