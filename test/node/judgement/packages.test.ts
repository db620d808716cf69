import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, trackside } from '../../cli/run.ts';

const folder = temporaryFolder();

test('a package that overwrites what the program keeps for it is an error', () => {
  mkdirSync(join(folder.path, 'node_modules/sessions'), { recursive: true });
  folder.write('node_modules/sessions/package.json', '{ "name": "sessions", "type": "module" }');
  folder.write(
    'node_modules/sessions/index.js',
    `export async function visit(store, change) {
       const session = { count: store.get() };
       await change(session);
       store.set(session.count);
     }`,
  );
  folder.write(
    'app.mjs',
    `import { visit } from 'sessions';
    const rows = new Map([['n', 0]]);
    const store = { get: () => rows.get('n'), set(value) { rows.set('n', value); } };
    const change = async (session) => { await null; session.count++; };
    await Promise.all([visit(store, change), visit(store, change)]);`,
  );
  const { stderr } = trackside(['run', '--instrument', 'node_modules/sessions/**', 'app.mjs'], {
    cwd: folder.path,
  });
  expect(stderr).toMatch(/^error: block 'visit'/m);
});

test('a package that fetches twice what it finds missing is an error, though it keeps that in another file', () => {
  mkdirSync(join(folder.path, 'node_modules/pages'), { recursive: true });
  folder.write('node_modules/pages/package.json', '{ "name": "pages", "type": "module" }');
  folder.write(
    'node_modules/pages/memory.js',
    `export class Memory {
       pages = {};
       get(key) { return this.pages[key]; }
       set(key, page) { this.pages[key] = page; }
     }`,
  );
  folder.write(
    'node_modules/pages/index.js',
    `export { Memory } from './memory.js';
     export async function load(cache, address, fetch) {
       const key = address.trim().toLowerCase();
       const known = await cache.get(key);
       if (known) return known;
       const page = await fetch(key);
       await cache.set(key, page);
       return page;
     }`,
  );
  folder.write(
    'pages.mjs',
    `import { load, Memory } from 'pages';
    const cache = new Memory();
    const fetch = async (key) => { await null; return { key }; };
    await Promise.all([load(cache, 'a', fetch), load(cache, 'A', fetch)]);`,
  );
  const { stderr } = trackside(['run', '--instrument', 'node_modules/pages/**', 'pages.mjs'], {
    cwd: folder.path,
  });
  expect(stderr).toMatch(/^error: block 'load'/m);
});
