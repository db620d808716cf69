import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CodeCache } from '../../src/startup/code-cache.ts';
import { CLEAN, temporaryFolder, trackside } from '../cli/run.ts';

const files = temporaryFolder();
const trace = files.write('clean.std', CLEAN);

const SOURCE = Buffer.from('exports.a = 1;');
const CODE = Buffer.from('compiled');

function newCache(name: string): { cache: CodeCache; file: string } {
  const folder = join(files.path, name);
  mkdirSync(folder);
  return { cache: new CodeCache(folder), file: join(folder, 'a.js.code') };
}

/** Checks a trace with the cache in a folder; the figures of time are left out. */
function checkWith(folder: string, env: Record<string, string> = {}): string {
  const run = trackside(['check', trace], { env: { XDG_CACHE_HOME: join(files.path, folder), ...env } });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  return run.stdout.replace(/[\d.]+ ms/, '… ms');
}

/** The files of the cache in a folder, with where they are. */
function kept(folder: string): string[] {
  const own = join(files.path, folder, 'trackside', `${process.version}-${process.arch}`);
  if (!existsSync(own)) return [];
  const found = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.code'),
  );
  return found.map((name) => join(own, name));
}

test('compiled code is found again for the same source', () => {
  const { cache } = newCache('same');
  cache.write('a.js', SOURCE, CODE, null);
  expect(cache.read('a.js', SOURCE)).toEqual({ data: CODE, runs: 1, isComplete: false });
});

test('nothing is found for another source, which replaces it', () => {
  const { cache } = newCache('other');
  cache.write('a.js', SOURCE, CODE, null);
  const changed = Buffer.from('exports.a = 2;');
  expect(cache.read('a.js', changed)).toBeNull();
  cache.write('a.js', changed, CODE, null);
  expect(cache.read('a.js', changed)).not.toBeNull();
  expect(cache.read('a.js', SOURCE)).toBeNull();
});

test.each([
  ['one byte changed', (file: Buffer) => file.fill(file[20] ^ 1, 20, 21)],
  ['cut', (file: Buffer) => file.subarray(0, file.length - 1)],
  ['cut in its header', (file: Buffer) => file.subarray(0, 7)],
  ['empty', () => Buffer.alloc(0)],
])('a damaged file is as good as none: %s', (name, damage) => {
  const { cache, file } = newCache(name);
  cache.write('a.js', SOURCE, CODE, null);
  writeFileSync(file, damage(readFileSync(file)));
  expect(cache.read('a.js', SOURCE)).toBeNull();
});

test('after some runs there is no more to learn', () => {
  const { cache } = newCache('learning');
  let runs = 0;
  let known = cache.read('a.js', SOURCE);
  for (; known?.isComplete !== true; runs++) {
    cache.write('a.js', SOURCE, CODE, known);
    known = cache.read('a.js', SOURCE);
  }
  expect(runs).toBe(8);
});

test('the command line keeps its code, for its user alone, and goes on with it', () => {
  const first = checkWith('kept');
  const code = kept('kept');
  expect(code.length).toBeGreaterThan(2);
  for (const file of code) expect(statSync(file).mode & 0o077).toBe(0);
  expect(checkWith('kept')).toBe(first);
});

test('what is loaded on demand, such as gunzip, works with code that was kept', () => {
  const packed = files.write('clean.std.gz', gzipSync(CLEAN));
  const env = { XDG_CACHE_HOME: join(files.path, 'on-demand') };
  for (let run = 0; run < 2; run++) expect(trackside(['check', packed], { env }).status).toBe(0);
});

test('configurations, which are imported, work with code that was kept', () => {
  const program = 'let n = 0; const f = async () => { const m = n; await null; n = m + 1; }; f(); f();';
  files.write('app.mjs', program);
  files.write('trackside.config.mjs', "export default { exclude: ['f'] };");
  const options = { cwd: files.path, env: { XDG_CACHE_HOME: join(files.path, 'configured') } };
  for (let run = 0; run < 2; run++)
    expect(trackside(['run', 'app.mjs'], options)).toMatchObject({ status: 0 });
});

test('code that V8 does not take is replaced', () => {
  const first = checkWith('replaced');
  const [file] = kept('replaced');
  const folder = new CodeCache(join(file, '..'));
  const name = 'common.chunk.js';
  const source = readFileSync(new URL(`../../dist/cli/${name}`, import.meta.url));
  folder.write(name, source, CODE, { data: CODE, runs: 100, isComplete: true });
  expect(checkWith('replaced')).toBe(first);
  expect(folder.read(name, source)?.data.length).toBeGreaterThan(1000);
});

test('a cache that cannot be written is done without', () => {
  files.write('not-a-folder', '');
  expect(checkWith('not-a-folder')).toBe(checkWith('kept'));
});

test('NODE_DISABLE_COMPILE_CACHE turns it off, and TRACKSIDE_DEBUG does not need it', () => {
  const usual = checkWith('kept');
  expect(checkWith('off', { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(usual);
  expect(checkWith('off', { TRACKSIDE_DEBUG: '1' })).toBe(usual);
  expect(kept('off')).toEqual([]);
});
