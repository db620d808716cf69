import fs from 'node:fs';
import timers from 'node:timers';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startRuntime } from '../../../src/node/runtime/index.ts';
import { record } from './support.ts';

/** How functions look from outside. */
function looks(holder: object): [string, string, number, string[]][] {
  return Object.entries(holder)
    .filter(([, value]) => typeof value === 'function')
    .map(([key, f]) => [key, f.name, f.length, Reflect.ownKeys(f).map(String).sort()]);
}

it('leaves the functions of fs and fs.promises looking as they were, and puts them back', () => {
  const before = [looks(fs), looks(fs.promises)];
  const { readFile } = fs;
  const runtime = startRuntime();
  expect([looks(fs), looks(fs.promises)]).toEqual(before);
  expect(fs.readFile).not.toBe(readFile);
  runtime.finish();
  expect(fs.readFile).toBe(readFile);
});

it('leaves promisified timers as they were', async () => {
  const { value } = await record('module.exports = promisify(setTimeout)(1, "late");', { promisify });
  expect(value).toBe('late');
});

it('leaves timers one function each, global and in node:timers', () => {
  const runtime = startRuntime();
  const names = ['setTimeout', 'setInterval', 'setImmediate'] as const;
  expect(names.map((name) => timers[name] === globalThis[name])).toEqual([true, true, true]);
  runtime.finish();
});

it('hands errors of fs on', async () => {
  const { value } = await record(`
    const fs = require('node:fs');
    const code = (e) => e.code;
    async function all() {
      const sync = (() => { try { fs.readFileSync('/no/such/file'); } catch (e) { return code(e); } })();
      const promised = await fs.promises.readFile('/no/such/file').catch(code);
      const handle = await fs.promises.open('/no/such/file').catch(code);
      const called = await new Promise((resolve) => fs.readFile('/no/such/file', (e) => resolve(code(e))));
      return [sync, promised, handle, called];
    }
    module.exports = all();
  `);
  expect(value).toEqual(['ENOENT', 'ENOENT', 'ENOENT', 'ENOENT']);
});

it('lets a rejection that nobody handles be noticed', async () => {
  const { value } = await record(`
    async function fail() { await null; throw new Error('lost'); }
    module.exports = new Promise((resolve) => {
      const listeners = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection');
      process.once('unhandledRejection', (error) => {
        for (const listener of listeners) process.on('unhandledRejection', listener);
        resolve(error.message);
      });
      fail();
    });
  `);
  expect(value).toBe('lost');
});

it('keeps subclasses of Promise', async () => {
  const { value } = await record(`
    class Mine extends Promise {}
    module.exports = [Mine.all([]) instanceof Mine, Mine.race([1]) instanceof Mine];
  `);
  expect(value).toEqual([true, true]);
});

it('computes sums as the operators do', async () => {
  const { value } = await record(`
    const o = { n: 1, s: 'a', b: 1n, d: '5', u: undefined };
    o.n += 2; o.s += 1; o.b += 2n; o.d -= 2; o.u++;
    let t = 'x'; let k = '3';
    const both = () => { t += o.n; k--; };
    both();
    module.exports = [o.n, o.s, String(o.b), o.d, o.u, t, k];
  `);
  expect(value).toEqual([3, 'a1', '3', 3, Number.NaN, 'x3', 2]);
});
