import { join } from 'node:path';
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
  const own = join(cache, digest(folder + user).toString(36));
  return new CachedScripts(folder, require, new CodeCache(own));
}

/** FNV-1a: Node loads thirty modules for a hash of its own. */
function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
