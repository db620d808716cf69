import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonReport } from '../../src/check/json-results.ts';
import { BuiltFile } from '../../src/node/originals/built-file.ts';
import { pathOfSource } from '../../src/node/originals/source-name.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';

/* Programs that were built: what is found in them is told as if the sources had been run. */

const { path } = temporaryFolder();

const SOURCES = {
  'package.json': '{ "type": "module" }',
  'count.txt': '0',
  'src/stock.ts': `import { tick } from 'ticking';

interface Kept { left: number }

export class Stock implements Kept {
  left = 1;
  #sold = 0;

  async buy(): Promise<boolean> {
    if (this.left <= 0) return false;
    await tick();
    this.left = this.left - 1;
    return true;
  }

  async sell(): Promise<void> {
    const sold = this.#sold;
    await tick();
    this.#sold = sold + 1;
  }
}

let served: number = 0;
export const serve = async (): Promise<void> => {
  const before = served;
  await tick();
  served = before + 1;
};

let latest = 0;
export async function refresh(): Promise<void> {
  const seen = latest;
  await tick();
  // trackside-ignore-next-line the newest one wins
  latest = seen + 1;
}
`,
  'src/app.ts': `import { readFileSync, writeFileSync } from 'node:fs';
import { refresh, serve, Stock } from './stock.ts';

let served = 'by name, another variable';
const rename = async () => { served += '!'; };
async function count(file: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  await null;
  writeFileSync(file, \`\${Number(text) + 1}\`);
}

const stock = new Stock();
await Promise.all([stock.buy(), stock.buy(), stock.sell(), stock.sell()]);
await Promise.all([serve(), serve(), refresh(), refresh(), rename(), rename()]);
await Promise.all([count('count.txt'), count('count.txt')]);
`,
  // A package that would be reported, if it were the program's own.
  'node_modules/ticking/package.json': '{ "name": "ticking", "type": "module", "main": "index.js" }',
  'node_modules/ticking/index.js': `let ticks = 0;
export async function tick() {
  const before = ticks;
  await new Promise((resolve) => setImmediate(resolve));
  ticks = before + 1;
}
`,
};

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, dirname(name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
}

async function bundle(to: string, sourcemap: boolean | 'inline' | 'hidden'): Promise<void> {
  const build = await rolldown({ input: join(path, 'src/app.ts'), platform: 'node', cwd: path });
  await build.write({ file: join(path, to), format: 'esm', minify: true, sourcemap });
  await build.close();
}

/** What was found: the blocks, the variables and where they are, one line each. */
function found(script: string, ...options: string[]): { lines: string[]; stderr: string } {
  const run = trackside(['run', '--no-live', '--reporter', 'json', ...options, script], { cwd: path });
  const { results } = JSON.parse(run.stdout) as JsonReport;
  const lines = results[0].violations.map(({ block, interference }) =>
    [
      `${block?.label} at ${block?.location}`,
      ...[interference?.first, interference?.last].map(
        (event) => `${event?.op.slice(2, -1)} at ${event?.location}`,
      ),
    ].join(', '),
  );
  return { lines: lines.sort(), stderr: run.stderr };
}

const FOUND = [
  'Stock.buy at src/stock.ts:9:9, Stock#1.left at src/stock.ts:10:9, Stock#1.left at src/stock.ts:12:5',
  'Stock.sell at src/stock.ts:16:9, Stock#1.#sold at src/stock.ts:17:18, Stock#1.#sold at src/stock.ts:19:5',
  'count at src/app.ts:6:1, file count.txt at src/app.ts:7, file count.txt at src/app.ts:9',
  'serve at src/stock.ts:24:22, served (src/stock.ts:23) at src/stock.ts:25:18, served (src/stock.ts:23) at src/stock.ts:27:3',
];

beforeAll(() => put(SOURCES));

describe('a program that was built', () => {
  it('by rolldown, minified, has the findings, places and names of its sources, and none in packages', async () => {
    expect(found('src/app.ts').lines).toEqual(FOUND);
    await bundle('dist/app.js', true);
    const { lines, stderr } = found('dist/app.js');
    expect(lines).toEqual(FOUND);
    expect(stderr).toBe('');
    expect(found('dist/app.js', '--only', 'Stock.buy').lines).toEqual(FOUND.slice(0, 1));
  });

  it('by tsc, to generators and CommonJS, has those of its sources', () => {
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
    const options = ['--target', 'es2016', '--module', 'commonjs', '--moduleResolution', 'bundler'];
    const root = ['--sourceMap', '--sourceRoot', join(path, 'src'), '--outDir', join(path, 'out')];
    spawnSync(process.execPath, [tsc, ...options, ...root, '--noCheck', 'src/stock.ts'], { cwd: path });
    put({
      'out/package.json': '{ "type": "commonjs" }',
      'out/node_modules/ticking/package.json': '{}',
      'out/node_modules/ticking/index.js':
        'exports.tick = () => new Promise((resolve) => setImmediate(resolve));',
      'out/app.js': `const { Stock, serve } = require('./stock.js');
const stock = new Stock();
Promise.all([stock.buy(), stock.buy(), serve(), serve()]);
`,
    });
    expect(found('out/app.js').lines).toEqual([FOUND[0], FOUND[3]]);
  });

  it('shows the code of sources that are in its map only, though others have their names by now', async () => {
    await bundle('dist/app.js', 'inline');
    const other = join(path, 'other');
    mkdirSync(join(other, 'src'), { recursive: true });
    cpSync(join(path, 'dist'), join(other, 'dist'), { recursive: true });
    writeFileSync(join(other, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(other, 'src/stock.ts'), '// written anew since\n');
    const { stderr } = trackside(['run', '--no-live', '--only', 'serve', 'dist/app.js'], { cwd: other });
    expect(stderr).toContain('25 │   const before = served;');
    expect(stderr).toContain("'serve#2' computed what it wrote to 'served (src/stock.ts:23)'");
  });

  it('is told by its own places, with one line that says why, if the map is missing or not its own', async () => {
    await bundle('dist/app.js', true);
    const map = JSON.parse(readFileSync(join(path, 'dist/app.js.map'), 'utf8'));
    const contents = map.sourcesContent.map((text: string) => `// one\n// more\n// line\n${text}`);
    writeFileSync(join(path, 'dist/app.js.map'), JSON.stringify({ ...map, sourcesContent: contents }));
    const lying = found('dist/app.js', '--only', '*buy');
    expect(lying.lines[0]).toMatch(/^\w*\.?buy at dist\/app\.js:1:\d+, /);
    expect(lying.stderr).toContain('dist/app.js: its source map does not fit src/stock.ts; build it again');
    rmSync(join(path, 'dist/app.js.map'));
    const missing = found('dist/app.js', '--only', '*buy');
    expect(missing.lines[0]).toMatch(/^\w*\.?buy at dist\/app\.js:1:\d+, /);
    expect(missing.stderr).toBe(
      'trackside: warning: dist/app.js: its source map cannot be used: there is no app.js.map; positions are those of the built file\n',
    );
  });
});

describe('the map of a built file', () => {
  const built = join(path, 'some/built.js');
  const map = {
    version: 3,
    names: ['total'],
    sources: ['a.ts'],
    sourcesContent: ['let total;'],
    mappings: 'IAAIA',
  };
  const inline = (text: string) =>
    `let t;\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(text).toString('base64')}\n`;

  it('says what a place comes from, and what it was called there', () => {
    const file = BuiltFile.of(built, inline(JSON.stringify(map)));
    expect(file?.origin(1, 4)).toEqual({ source: 0, line: 1, column: 4, name: 'total', isExact: true });
    expect(file?.origin(1, 5)?.isExact).toBe(false);
    expect(file?.origin(2, 0)).toBeNull();
    expect(file?.sources).toEqual([
      { path: join(path, 'some/a.ts'), content: 'let total;', isElsewhere: true, isMadeUp: false },
    ]);
  });

  it('may consist of the maps of several parts', () => {
    const sections = [
      { offset: { line: 0, column: 0 }, map },
      { offset: { line: 7, column: 2 }, map: { ...map, sources: ['b.ts'], sourceRoot: 'lib' } },
    ];
    const file = BuiltFile.of(built, inline(JSON.stringify({ version: 3, sections })));
    expect(file?.origin(8, 6)).toMatchObject({ source: 1, line: 1, column: 4 });
    expect(file?.sources[1].path).toBe(join(path, 'some/lib/b.ts'));
  });

  it('may name a source without an extension, which is a helper of the builder only if there is no such file', () => {
    writeFileSync(join(path, 'serve'), 'let total;');
    const named = { ...map, sourcesContent: null, sources: ['../serve', '../runtime'] };
    const file = BuiltFile.of(built, inline(JSON.stringify(named)));
    expect(file?.sources.map((source) => source.isMadeUp)).toEqual([false, true]);
  });

  it('is found beside the file if the file does not name it', async () => {
    await bundle('hidden/app.js', 'hidden');
    const file = join(path, 'hidden/app.js');
    expect(BuiltFile.of(file, readFileSync(file, 'utf8'))?.sources.map((source) => source.path)).toContain(
      join(path, 'src/stock.ts'),
    );
  });

  it.each([
    ['there is no gone.map', '//# sourceMappingURL=gone.map'],
    ['/dev/zero cannot be read', '//# sourceMappingURL=/dev/zero'],
    ['it is not in a file', '//# sourceMappingURL=https://host/app.js.map'],
    [
      'in its last line is no source map of version 3',
      '//# sourceMappingURL=data:application/json,{"version":3',
    ],
    ['in its last line is no source map of version 3', '//# sourceMappingURL=data:application/json,%7B%7D'],
    ['in its last line is no source map of version 3', '/*# sourceMappingURL=data:application/json,5 */'],
    ['its text is not encoded as it says', '//# sourceMappingURL=data:application/json,%'],
  ])('cannot be used: %s', (why, comment) => {
    expect(() => BuiltFile.of(built, `let a;\n${comment}`)).toThrow(why);
  });

  it.each([
    'let text = "//# sourceMappingURL=gone.map";',
    '//# sourceMappingURL=gone.map\nlet a = 1;',
    'const a = 1;',
  ])('is not looked for where none is named: %s', (source) => {
    expect(BuiltFile.of(built, source)).toBeNull();
  });

  it.each([
    ['webpack://shop/./src/a.ts?1a2b', 'src/a.ts'],
    ['webpack:///src/a.ts', 'src/a.ts'],
    ['file:///app/src/a%20b.ts', '/app/src/a b.ts'],
    ['src/a.ts', 'src/a.ts'],
  ])('calls a source what bundlers call it: %s', (name, wanted) => {
    expect(pathOfSource(name)).toBe(wanted);
  });
});
