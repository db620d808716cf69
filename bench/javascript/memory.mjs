#!/usr/bin/env node
/*
 * Whether memory stays bounded while a server is under steady load: requests with objects of their own, sessions that come
 * and go in a shared Map, timers, and tasks nobody waits for. Prints the heap after every million events.
 *
 *   npm run build && node --expose-gc bench/javascript/memory.mjs [events]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';

const PROGRAM = `
const { setImmediate: turn } = require('node:timers/promises');
const sessions = new Map();
const stats = { open: 0, served: 0 };
let requests = 0;
async function session(id) {
  let found = sessions.get(id);
  if (found === undefined) { found = { id, visits: 0, last: null }; sessions.set(id, found); }
  await null;
  return found;
}
async function note(entry) { await turn(); stats.served++; entry.done = true; }
async function handle(request) {
  stats.open++;
  const found = await session(request.session);
  found.visits++;
  found.last = request;
  const answer = { status: 200, lines: [] };
  for (let i = 0; i < 5; i++) answer.lines.push(request.path + i);
  await null;
  note({ request, done: false });
  setTimeout(() => { stats.open--; }, 0);
  if (found.visits > 20) sessions.delete(found.id);
  return answer;
}
module.exports = async function serve(count) {
  for (let i = 0; i < count; i += 20) {
    const batch = [];
    for (let j = 0; j < 20; j++) batch.push(handle({ session: 's' + ((requests++ / 21) | 0), path: '/' + i }));
    await Promise.all(batch);
    await turn();
  }
};`;

const wanted = Number(process.argv[2] ?? 10_000_000);
const dist = process.env.TRACKSIDE_DIST ?? new URL('../../dist', import.meta.url).pathname;
const { instrument } = await import(`${dist}/node/instrument/instrument.js`);
const { startRuntime } = await import(`${dist}/node/runtime/index.js`);

const directory = mkdtempSync(path.join(tmpdir(), 'trackside-memory-'));
const spool = path.join(directory, 'trace.trk');
let violations = 0;
const runtime = startRuntime({ spool, onViolation: () => violations++ });
const { code } = instrument(PROGRAM, {
  path: 'server.js',
  displayPath: 'server.js',
  format: 'commonjs',
  language: 'js',
  runtimeUrl: '',
  wantMap: false,
});
const module = { exports: undefined };
vm.runInThisContext(`(function (require, module) {${code}\n})`)(createRequire(import.meta.url), module);

console.log(
  `node ${process.version}, megabytes\n| events logged | heap | typed arrays | trace |\n|---|---|---|---|`,
);
const mega = (bytes) => (bytes / 2 ** 20).toFixed(1);
let next = 1_000_000;
while (runtime.recorder.log.next < wanted) {
  await module.exports(1000);
  if (runtime.recorder.log.next < next) continue;
  next += 1_000_000;
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const logged = (runtime.recorder.log.next / 1e6).toFixed(1);
  console.log(`| ${logged} M | ${mega(heapUsed)} | ${mega(arrayBuffers)} | ${mega(statSync(spool).size)} |`);
}
runtime.finish();
console.log(`${violations} violations`);
rmSync(directory, { recursive: true });
