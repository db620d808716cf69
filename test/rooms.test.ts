import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

/*
 * A room is a folder of `src`, or of `src/node`, with all that is in it. docs/explanation/architecture.md lists them, each
 * below all that it may import from.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'src');
const ORDER = listedRooms();

function listedRooms(): string[] {
  const text = readFileSync(join(ROOT, 'docs/explanation/architecture.md'), 'utf8');
  return [...text.matchAll(/^\| `(src(?:\/[\w-]+)*)` \|/gm)].map(([, room]) => room);
}

function roomOf(path: string): string {
  const [first, second, ...rest] = relative(SOURCES, path).split(/[\\/]/);
  if (second === undefined) return 'src';
  return first === 'node' && rest.length > 0 ? `src/node/${second}` : `src/${first}`;
}

interface Import {
  file: string;
  from: string;
  to: string;
}

/** All imports from one room to another, types included. */
function importsBetweenRooms(): Import[] {
  const found: Import[] = [];
  for (const entry of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const file = join(entry.parentPath, entry.name);
    const from = roomOf(file);
    for (const specifier of specifiersIn(file)) {
      if (!specifier.startsWith('.')) continue;
      const to = roomOf(resolve(dirname(file), specifier));
      if (to !== from) found.push({ file: relative(ROOT, file), from, to });
    }
  }
  return found;
}

function specifiersIn(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  const dynamic = dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1));
  const exported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest.value])),
  );
  return [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic];
}

describe('the rooms of src', () => {
  const imports = importsBetweenRooms();

  it('are known by imports of every kind: of values, of types, of what is exported again, and later ones', () => {
    const known = (file: string, to: string) => imports.some((one) => one.file === file && one.to === to);
    expect(known('src/cli/check.ts', 'src/check')).toBe(true);
    expect(known('src/node/core/trace-sink.ts', 'src/trace')).toBe(true);
    expect(known('src/index.ts', 'src/node')).toBe(true);
    expect(known('src/check/pipeline.ts', 'src/formats')).toBe(true);
    expect(known('src/node/launch/register.ts', 'src/node/testing')).toBe(true);
  });

  it('are all listed in docs/explanation/architecture.md', () => {
    const missing = imports.flatMap(({ from, to }) => [from, to]).filter((room) => !ORDER.includes(room));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('import only from rooms that are listed above them', () => {
    const upward = imports.filter(({ from, to }) => ORDER.indexOf(to) > ORDER.indexOf(from));
    expect(upward.map(({ file, to }) => `${file} imports from ${to}`)).toEqual([]);
  });

  it('do not import each other', () => {
    const known = new Set(imports.map(({ from, to }) => `${from} ${to}`));
    const mutual = imports.filter(({ from, to }) => known.has(`${to} ${from}`));
    expect(mutual.map(({ file, to }) => `${file} imports from ${to}, and that from it`)).toEqual([]);
  });
});
