/*
 * Which file of a trace the name of a module means, by the names that files have in reports.
 */

import { posix } from 'node:path';

const EXTENSIONS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx'];

/** Null for what is no file of the trace. */
export function fileOf<T>(files: ReadonlyMap<string, T>, from: string, specifier: string): T | null {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return null;
  const path = posix.join(posix.dirname(from.replaceAll('\\', '/')), specifier);
  // TypeScript names a module as it will be called when it has been compiled.
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  for (const start of [path, bare, `${path}/index`])
    for (const extension of EXTENSIONS) {
      const file = files.get(start + extension);
      if (file !== undefined) return file;
    }
  return null;
}

/** `store` of `@acme/store` and `#lib/store.js`. */
export function lastSegment(specifier: string): string {
  return posix.basename(specifier).replace(/\.[cm]?[jt]sx?$/, '');
}

/** The package that a file below `node_modules` belongs to, by its folder. */
export function packageOf(path: string): string {
  return /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? path;
}
