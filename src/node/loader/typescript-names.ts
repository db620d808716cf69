import { existsSync, statSync } from 'node:fs';

/** TypeScript lets an import name the file that the compiler would write: `./a.js`, or `./a`, for `a.ts`. */
export function typescriptCandidates(path: string): string[] {
  const ending = /\.([cm]?)jsx?$/.exec(path);
  const stem = ending === null ? path : path.slice(0, ending.index);
  const kind = ending?.[1] ?? '';
  const names =
    ending === null
      ? [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}.js`, `${path}/index.js`]
      : [`${stem}.${kind}ts`, `${stem}.tsx`];
  return names.filter((name) => existsSync(name) && statSync(name).isFile());
}
