import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path of a source, from what a map calls it, resolved: a path where that is a file, or else what the bundler's own
 * name says: `src/a.ts` of `webpack://shop/./src/a.ts?1a2b`.
 */
export function pathOfSource(resolved: string): string {
  if (resolved.startsWith('file:')) {
    try {
      return fileURLToPath(resolved.replace(/[?#].*$/, ''));
    } catch {
      return resolved;
    }
  }
  const scheme = /^[a-z][a-z\d+.-]*:\/\/[^/]*\//i.exec(resolved)?.[0];
  if (scheme === undefined) return isAbsolute(resolved) ? resolved : resolved.replace(/^(?:\.\/)+/, '');
  const rest = resolved.slice(scheme.length).replace(/\?.*$/, '');
  return rest.replace(/^(?:\.\/)+/, '');
}

/** Whether a name looks made up by the bundler, if there is no such file: its helpers have no extension, or names that no file can have. */
export function isMadeUpName(path: string): boolean {
  return path.includes('\0') || !/\.\w+$/.test(path);
}
