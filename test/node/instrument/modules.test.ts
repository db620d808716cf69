import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'oxc-transform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instrument } from '../../../src/node/instrument/instrument.ts';
import { passThrough } from '../../../src/node/pass-through.ts';
import { DEFAULTS, sitesOf } from '../../support/instrumented-text.ts';

let folder: string;
let runtimeUrl: string;

/** The pass-through probes, as a file that modules can import. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trackside-modules-'));
  const probes = new URL('../../../src/node/pass-through.ts', import.meta.url);
  writeFileSync(join(folder, 'probes.mjs'), transformSync('probes.ts', readFileSync(probes, 'utf8')).code);
  const path = join(folder, 'runtime.mjs');
  writeFileSync(
    path,
    `import { passThrough } from './probes.mjs';
    globalThis[Symbol.for('trackside.runtime')] = passThrough;
    export const { ${Object.keys(passThrough).join(', ')} } = passThrough;`,
  );
  runtimeUrl = pathToFileURL(path).href;
});

afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, source: string, options: Partial<typeof DEFAULTS> = {}): string {
  const path = join(folder, name);
  const { code, warnings } = instrument(source, { ...DEFAULTS, path, runtimeUrl, ...options });
  expect(warnings).toEqual([]);
  writeFileSync(path, code);
  return path;
}

function node(...args: string[]): { stdout: string; stderr: string; status: number | null } {
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

describe('the first line', () => {
  test('of a module imports the probes it uses and registers its sites', () => {
    const { code } = instrument('o.p = -1;\n', { ...DEFAULTS, displayPath: 'src/a.js' });
    expect(code).toBe(
      'import{write as __ts_write,file as __ts_file}from"runtime";' +
        'var __ts_base=__ts_file("src/a.js",[1,1,0],["o.p"],' +
        String.raw`"{\"bits\":[4],\"functions\":[0],\"acts\":[[0,[],[]]],\"flows\":[[-1,1,[],[],[]]]}");` +
        'o.p = __ts_write(o,"p",__ts_base+0,-1);\n',
    );
  });

  test('of a CommonJS file takes them from the process', () => {
    const { code } = instrument('f()', { ...DEFAULTS, format: 'commonjs' });
    expect(code).toMatch(
      /^var\{kept:__ts_kept,file:__ts_file\}=globalThis\[Symbol\.for\("trackside\.runtime"\)\];var __ts_base/,
    );
  });

  test('stays behind a hashbang and directives', () => {
    const { code } = instrument("#!/usr/bin/env node\n// hello\n'use strict'\nf()", {
      ...DEFAULTS,
      format: 'commonjs',
    });
    const lines = code.split('\n');
    expect(lines.slice(0, 2)).toEqual(['#!/usr/bin/env node', '// hello']);
    expect(lines[2]).toMatch(/^'use strict';var\{/);
    expect(instrument('#!node\nf()', DEFAULTS).code).toMatch(/^#!node\nimport\{/);
  });

  test('is missing where there is nothing to record', () => {
    expect(instrument('export const x = 1;', DEFAULTS).code).toBe('export const x = 1;');
  });

  test('uses other names if the file has them already', () => {
    expect(instrument('const __ts_readIn = o[k]', DEFAULTS).code).toContain(
      'const __ts_readIn = __ts1_readIn(o,',
    );
  });
});

test('a syntax error is left to the engine, with one warning', () => {
  const source = 'let x = ;';
  expect(instrument(source, DEFAULTS)).toEqual({
    code: source,
    map: undefined,
    warnings: ['file.js: not instrumented: Unexpected token at 1:9'],
  });
});

test('an expression that is nested too deeply is left alone, with one warning', () => {
  const source = `x = ${'o.p+'.repeat(50_000)}1`;
  const { code, warnings } = instrument(source, DEFAULTS);
  expect(code).toBe(source);
  expect(warnings).toEqual(['file.js: not instrumented: its expressions are nested too deeply']);
});

test('regenerator machines are not followed, which is said once', () => {
  const call = 'regeneratorRuntime.wrap(function (_context) {}, f);\n';
  const { warnings } = instrument(call + call, DEFAULTS);
  expect(warnings).toEqual([
    'file.js: async functions that were compiled to regenerator state machines are not followed',
  ]);
});

test('sites hold the line and column of the file, and short texts', () => {
  expect(sitesOf('const é = "😀"; x = é.p')).toEqual(['1:21 é.p']);
  expect(sitesOf('x = this\n  .a')).toEqual(['2:4 this .a']);
  expect(sitesOf('/*\r\n\u2028\r*/ a.b;\r\nc.d')).toEqual(['4:4 a.b', '5:1 c.d']);
  expect(sitesOf('\uFEFFx = a.b')).toEqual(['1:6 a.b']);
  expect(sitesOf(`x = o.${'p'.repeat(1e6)}`)[0].length).toBeLessThan(100);
});

test('modules in a circle may call each other before they have begun', () => {
  const main = write(
    'main.mjs',
    "import { b } from './b.mjs'; export let n = 1; export function a() { const o = { p: 1 }; o.p++; return o.p } console.log(a(), b, await (async () => n++)(), n);",
  );
  write('b.mjs', "import { a } from './main.mjs'; export const b = a();");
  expect(node(main)).toMatchObject({ stdout: '2 2 1 2\n', stderr: '', status: 0 });
});

test('Node still finds the names that a CommonJS file exports', () => {
  const options = { format: 'commonjs' as const };
  write('c.cjs', 'const z = { p: 1 }; exports.one = z.p; exports.two = () => z.p++;', options);
  write('d.cjs', "const x = 1; module.exports = { x, y: x, ...require('./c.cjs') };", options);
  write(
    'e.cjs',
    "Object.defineProperty(exports, '__esModule', { value: true }); const c = require('./c.cjs'); Object.defineProperty(exports, 'three', { enumerable: true, get: function () { return c.one } });",
    options,
  );
  write('f.cjs', "module.exports = require('./c.cjs');", options);
  const names = join(folder, 'names.mjs');
  const print = ['c', 'd', 'e', 'f'].map(
    (file) => `console.log(Object.keys(await import('./${file}.cjs')).join());`,
  );
  writeFileSync(names, ["import './runtime.mjs';", ...print].join('\n'));
  const { stdout, stderr } = node(names);
  expect(stderr).toBe('');
  const [c, d, e, f] = stdout.split('\n');
  expect(c).toContain('one,two');
  expect(d).toContain('one,two,x');
  expect(e).toContain('three');
  expect(f).toContain('one,two');
});

describe('TypeScript', () => {
  const source = `enum Colour { Red = 1, Green }
interface Money { amount: number }
class Account<T extends Money> {
  constructor(private readonly owner: string, public balance: number = 0) {}
  async deposit(this: Account<T>, money: T): Promise<number> {
    const before = this.balance as number;
    await null;
    this.balance = before + (money!.amount satisfies number);
    return this.balance;
  }
  get name(): string { return this.owner }
}
class Savings extends Account<Money> {
  constructor(private rate: number) { super('you', [rate][0]!); this.self().rate += 1 }
  self(): this { return this }
  get value(): number { return this.balance * this.rate }
}
namespace Shop { export const state = { open: 0 }; export async function enter(): Promise<void> { state.open++ } }
declare const missing: string;
const account = new Account<Money>('me', Colour.Green);
await account.deposit({ amount: 5 });
await Shop.enter();
console.log(account.balance, account.name, Shop.state.open, Colour[1], new Savings(2).value);
let maybe: { boom?: { bang(): void } } | undefined = {};
maybe!.boom!.bang();
`;

  test('loses its types and keeps its behaviour', () => {
    const path = write('shop.mjs', source, { language: 'ts', wantMap: true, path: join(folder, 'shop.ts') });
    writeFileSync(join(folder, 'shop.ts'), source);
    const { stdout, stderr, status } = node('--enable-source-maps', path);
    expect(stdout).toBe('7 me 1 Red 6\n');
    expect(status).toBe(1);
    expect(stderr).toContain("Cannot read properties of undefined (reading 'bang')");
    expect(stderr).toContain('shop.ts:25:');
  });

  test('has its own lines in the sites', () => {
    const sites = sitesOf(source, { language: 'ts' });
    expect(sites).toContain('8:5 this.balance');
    expect(sites).toContain('5:9 Account.deposit');
    expect(sites.some((site) => /^18:\d+ Shop\.enter$/.test(site))).toBe(true);
  });

  test('that the transformer does not support is said', () => {
    const { warnings } = instrument('namespace A { export let n = 0 }', { ...DEFAULTS, language: 'ts' });
    expect(warnings[0]).toMatch(/^file\.js: Namespaces exporting non-const are not supported/);
  });

  test('leaves JSX to whoever asks for it', () => {
    const jsx = 'const e = <a href={f().p}>{f()}</a>;';
    expect(instrument(jsx, { ...DEFAULTS, language: 'tsx' }).code).toMatch(
      /<a href=\{__ts_read\(__ts_kept\(f\(\)\), ?"p"/,
    );
    const transform = { jsx: { runtime: 'classic' as const } };
    expect(instrument(jsx, { ...DEFAULTS, language: 'jsx', transform }).code).toContain(
      'React.createElement("a"',
    );
  });

  test('keeps standard decorators and lowers the old ones when asked', () => {
    const decorated = '@d class A { @e async m() { o.p++ } }';
    expect(instrument(decorated, { ...DEFAULTS, language: 'ts' }).code).toContain('@d');
    const transform = { decorator: { legacy: true } };
    expect(instrument(decorated, { ...DEFAULTS, language: 'ts', transform }).code).not.toContain('@d');
  });
});

test('stacks of JavaScript show the columns of the file', () => {
  const source = "const o = { p: 1 }; o.p++; o.p++; throw new Error('here')\n";
  const path = write('columns.mjs', source, { wantMap: true });
  expect(node('--enable-source-maps', path).stderr).toMatch(/columns\.mjs:1:41\b/);
});

test('stacks show the column of a statement that begins with a probe as it is in the file', () => {
  const path = write('statement.mjs', 'const o = 1; missing(o);\n', { wantMap: true });
  expect(node('--enable-source-maps', path).stderr).toMatch(/statement\.mjs:1:14\b/);
});
