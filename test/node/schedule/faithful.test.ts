import { describe, test } from 'vitest';
import type { ScheduleKind } from '../../../src/node/schedule/options.ts';
import { temporaryFolder } from '../../cli/run.ts';
import { plain, scheduled } from './scheduled.ts';

/* Programs that come to the same in whatever order their tasks run: they must under every schedule. */

const { write } = temporaryFolder();

const SCHEDULES: readonly (readonly [ScheduleKind, number])[] = [
  ['provoke', 1],
  ['random', 2],
  ['pct', 1],
];

const PROGRAMS: Readonly<Record<string, string>> = {
  // One task that waits for everything there is to wait for; each prints a line, in an order that Node guarantees.
  'one-task.mjs': `
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { promisify } from 'node:util';
import { scheduler, setImmediate as turn, setInterval as every, setTimeout as pause } from 'node:timers/promises';
const say = (...values) => console.log(...values);
class Logged extends Promise { then(...callbacks) { say('then of a subclass'); return super.then(...callbacks); } }

async function main() {
  setTimeout(() => say('a timer'), 0);
  process.nextTick(() => say('a tick'));
  say(await 1, await null);
  say(await new Promise((resolve) => process.nextTick(resolve, 'a tick for a promise')));
  await pause(5);
  try { await Promise.reject(new Error('no')); } catch (error) { say(error.message); } finally { say('finally'); }
  let gets = 0;
  say(await { get then() { gets++; return (resolve) => resolve('a thenable'); } }, gets);
  const value = {};
  const promise = Promise.resolve(value);
  let looks = 0;
  Object.defineProperty(value, 'then', { get() { looks++; } });
  say((await promise) === value, looks);
  async function* counting() { yield 1; await pause(1); try { yield 2; } finally { say('the generator ends'); } }
  for await (const n of counting()) { say(n); if (n === 2) break; }
  for await (const item of [Promise.resolve('a'), 'b']) say(item);
  try { for await (const _ of [Promise.reject(new Error('in a loop'))]) say('never'); } catch (error) { say(error.message); }
  let n = 0;
  const iterator = { next: async () => ({ done: false, value: n++ }), return: async () => (say('returned'), {}) };
  for await (const item of { [Symbol.asyncIterator]: () => iterator }) { say(item); if (item === 1) break; }
  const storage = new AsyncLocalStorage();
  await storage.run('inside', async () => {
    await pause(1); say(storage.getStore());
    await turn(); say(storage.getStore());
    await new Promise((resolve) => setTimeout(resolve, 1)); say(storage.getStore());
    setTimeout(() => say('in a callback:', storage.getStore()), 1);
    await pause(3);
  });
  say(storage.getStore());
  say(await new Logged((resolve) => resolve('a subclass')));
  const events = new EventEmitter();
  setTimeout(() => events.emit('x', 'an event'), 1);
  say(...(await once(events, 'x')));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1);
  await pause(10_000, null, { signal: controller.signal }).catch((error) => say(error.name));
  say(await Promise.race([pause(1, 'the first'), pause(10_000, 'the last', { ref: false })]));
  say(await pause(1).then(() => 'a chain').finally(() => say('its end')));
  say(await promisify(setTimeout)(1, 'promisified'));
  await scheduler.wait(1);
  for await (const tick of every(1, 'every')) { say(tick); break; }
}
await main();
say(await (async () => 'at the top level')());
`,
  'timers.cjs': `
const ended = setTimeout(() => console.log('cleared'), 10_000);
setTimeout(() => clearTimeout(+ended), 1);
const closed = setTimeout(() => console.log('closed'), 10_000);
setTimeout(() => closed.close(), 1);
clearImmediate(setImmediate(() => console.log('cleared too')));
setTimeout(() => console.log('not waited for'), 10_000).unref();
let ticks = 0;
const timer = setInterval((text) => {
  console.log(text, ++ticks);
  if (ticks < 3) return;
  clearInterval(timer);
  let fired = 0;
  const refreshed = setTimeout(() => { console.log('fired', ++fired); if (fired === 1) refreshed.refresh(); }, 3);
  refreshed.refresh();
}, 2, 'tick');
console.log(setTimeout.name, setTimeout.length, timer.constructor.name, timer.hasRef(), clearTimeout.name);
for (const wrong of [() => setTimeout('text'), () => setImmediate(), () => require('node:fs').readFile({}, () => {})])
  try { wrong(); } catch (error) { console.log(error.code); }
process.on('beforeExit', () => console.log('before the end'));
process.on('exit', (code) => console.log('the end', code));
(async () => { await null; process.exitCode = 4; })();
`,
  'errors.mjs': `
import { setTimeout as pause } from 'node:timers/promises';
process.on('unhandledRejection', (error) => console.log('unhandled:', error.message));
process.on('rejectionHandled', () => console.log('handled late'));
async function inner() { await pause(1); throw new Error('deep'); }
async function outer() { await pause(1); return [await inner()]; }
await outer().catch((error) => console.log(error.stack.replaceAll(import.meta.url, '')));
const kept = inner();
await pause(100);
await kept.catch((error) => console.log('caught:', error.message));
await pause(5);
`,
  'uncaught.cjs': `
process.on('uncaughtException', (error) => console.log('uncaught:', error.message));
const fs = require('node:fs');
const steps = [
  (next) => setTimeout(() => { next(); throw new Error('in a timer'); }, 1),
  (next) => setImmediate(() => { next(); throw new Error('in an immediate'); }),
  (next) => fs.readFile(__filename, () => { next(); throw new Error('behind a file'); }),
  (next) => fs.readFile('missing', (error) => { next(); console.log(error.code, error.path); }),
  (next) => fs.promises.readFile('missing').catch((error) => { next(); console.log(error.code); }),
  (next) => fs.promises.readFile({}).catch((error) => { next(); console.log(error.code); }),
];
const next = () => setTimeout(() => steps.shift()?.(next), 1);
next();
`,
  'never.mjs': `console.log('waits'); await new Promise(() => {}); console.log('never');`,
  // A mutex of its own, a queue of files: correct, however long anything takes.
  'locked.mjs': `
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
let tail = Promise.resolve();
const exclusive = (work) => (tail = tail.then(work, work));
const folder = await mkdtemp(join(tmpdir(), 'locked-'));
const file = join(folder, 'count');
await writeFile(file, '0');
let sum = 0;
async function add(n) {
  const before = sum;
  await pause(n);
  sum = before + n;
  const handle = await open(file, 'r+');
  const count = Number(await handle.readFile('utf8'));
  await handle.write(String(count + n), 0);
  await handle.close();
}
await Promise.all([1, 2, 3, 4].map((n) => exclusive(() => add(n))));
let text = '';
for await (const chunk of createReadStream(file, 'utf8')) text += chunk;
console.log(sum, text, await readFile(file, 'utf8'));
await rm(folder, { recursive: true });
`,
};

function isMapped(stderr: string): boolean {
  return !stderr.includes('file://');
}

describe.concurrent('comes to the same:', () => {
  for (const [name, source] of Object.entries(PROGRAMS)) {
    const entry = write(name, source);
    test(name, async ({ expect }) => {
      const expected = await plain(entry);
      for (const [kind, seed] of SCHEDULES) {
        const { stdout, stderr, code } = await scheduled(entry, kind, seed);
        expect({ kind, seed, stdout, code }).toEqual({
          kind,
          seed,
          stdout: expected.stdout,
          code: expected.code,
        });
        // Node writes a path where a file has a source map.
        expect(stderr).toBe(expected.stderr.replaceAll('file://', isMapped(stderr) ? '' : 'file://'));
      }
    });
  }
});
