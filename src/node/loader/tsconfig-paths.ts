import { resolve } from 'node:path';
import { compilerOptionsFor } from './tsconfig.ts';

/** Where the `paths` and the `baseUrl` of a tsconfig look for what a file imports by a name; the best first. */
export function mappedPaths(specifier: string, from: string): string[] {
  const options = compilerOptionsFor(from);
  if (options === null || /^[./]/.test(specifier)) return [];
  const { baseUrl, paths, pathsFolder } = options;
  const folder = baseUrl ?? pathsFolder;
  const mapped = folder === undefined ? [] : targets(specifier, paths).map((path) => resolve(folder, path));
  return baseUrl === undefined ? mapped : [...mapped, resolve(baseUrl, specifier)];
}

/** Those of the pattern with the longest text in front of its star, as the compiler does. */
function targets(specifier: string, paths: unknown): string[] {
  if (typeof paths !== 'object' || paths === null) return [];
  let longest = -1;
  let found: string[] = [];
  for (const [pattern, values] of Object.entries(paths)) {
    const [before, after] = pattern.split('*');
    const isMatch =
      after === undefined
        ? specifier === pattern
        : specifier.length >= before.length + after.length &&
          specifier.startsWith(before) &&
          specifier.endsWith(after);
    const length = after === undefined ? Number.POSITIVE_INFINITY : before.length;
    if (!isMatch || length <= longest || !Array.isArray(values)) continue;
    longest = length;
    const star = specifier.slice(before.length, specifier.length - (after?.length ?? 0));
    found = values
      .filter((value) => typeof value === 'string')
      .map((value) => value.replace('*', () => star));
  }
  return found;
}
