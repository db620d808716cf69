import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isTypeScript } from './module-kind.ts';
import { mappedPaths } from './tsconfig-paths.ts';

/** What a TypeScript file imports by a name that Node does not find; null if the compiler would not find it either. */
export function typescriptFile(specifier: string, from: string): string | null {
  if (!isTypeScript(from)) return null;
  const paths = /^\.{1,2}\//.test(specifier)
    ? [resolve(dirname(from), specifier)]
    : mappedPaths(specifier, from);
  return paths.flatMap(candidates).find(isFile) ?? null;
}

/** TypeScript lets an import name the file that the compiler would write: `./a.js`, or `./a`, for `a.ts`. */
function candidates(path: string): string[] {
  const ending = /\.([cm]?)jsx?$/.exec(path);
  if (ending === null)
    return [path, ...['.ts', '.tsx', '/index.ts', '/index.tsx', '.js', '/index.js'].map((end) => path + end)];
  const stem = path.slice(0, ending.index);
  return [path, `${stem}.${ending[1]}ts`, `${stem}.tsx`];
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
