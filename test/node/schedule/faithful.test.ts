import { describe, test } from 'vitest';
import type { ScheduleKind } from '../../../src/trace/schedule-options.ts';
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
  // What Node runs in one turn of the event loop keeps its order, whoever it is.
  'one-turn.mjs': `
import { setTimeout as pause } from 'node:timers/promises';
const say = (...values) => console.log(...values);
async function steps(name, n) { for (let i = 0; i < n; i++) { await null; say(name, i); } return name; }
async function made() { say(await new Promise((resolve) => resolve('made'))); say(await Promise.all([1, 2])); }
async function kept() { const promise = (async () => 'kept')(); await null; say(await promise); }
Promise.resolve().then(() => say('then 1')).then(() => say('then 2')).then(() => say('then 3'));
steps('a', 4).then(say); made(); kept(); steps('b', 3);
await pause(1);
// Whoever is woken takes what was left to it before anybody else can come.
const items = [];
const waiting = [];
const push = (item) => { items.push(item); waiting.shift()?.(); };
async function pop() { if (items.length === 0) await new Promise((resolve) => waiting.push(resolve)); return items.shift(); }
async function consumer(name) { for (let i = 0; i < 4; i++) { await pause(1); say(typeof (await pop())); } }
const both = [consumer('x'), consumer('y')];
for (let i = 0; i < 8; i++) { await pause(1); push('item'); }
await Promise.all(both);
// Between the end of a call and whoever waits for it there is nobody.
let count = 0;
async function read() { await pause(1); return count; }
async function add() { const before = await read(); count = before + 1; }
await Promise.all([add(), add(), add(), add()]);
say(count);
`,
  // Holds do not make what the program does too slow for itself.
  'limits.mjs': `
import { setTimeout as pause } from 'node:timers/promises';
let n = 0;
async function work() { const before = n; await pause(1); n = before + 1; await pause(1); return 'done'; }
const LIMIT = 450;
const late = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), ms).unref());
const say = (promise) => promise.then((value) => console.log(value), (error) => console.log(error.message));
await say(Promise.race([work(), late(LIMIT)]));
await say(Promise.race([work(), pause(LIMIT, 'too late', { ref: false })]));
const controller = new AbortController();
const timer = setTimeout(() => controller.abort(), LIMIT);
await say(work().then(() => controller.signal.aborted));
clearTimeout(timer);
const signal = AbortSignal.timeout(LIMIT);
await say(work().then(() => signal.aborted));
`,
  // What comes from elsewhere: other processes, sockets, streams.
  'outside.mjs': `
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection, createServer as listen } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
let n = 0;
async function add(get) { const before = n; const got = await get(); n = before + 1; console.log(got, n); }
await add(async () => (await promisify(execFile)(process.execPath, ['-p', '1'])).stdout.trim());
const echo = listen((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
await once(echo, 'listening');
await add(async () => { const socket = createConnection(echo.address().port, '127.0.0.1').end('echo'); return String((await socket.toArray())[0]); });
echo.close();
const server = createServer(async (_, response) => { await add(async () => 'served'); response.end('page'); });
await once(server.listen(0, '127.0.0.1'), 'listening');
console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text());
server.closeAllConnections();
server.close(() => console.log('closed'));
for await (const line of Readable.from(['a', 'b'])) await add(async () => line);
const poll = setInterval(async () => { await add(async () => 'poll'); clearInterval(poll); }, 1);
`,
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
