#!/usr/bin/env node
/*
 * Whether memory stays bounded while a program is under steady load. Prints the heap after every million events.
 *
 *   node --expose-gc bench/javascript/memory.mjs [load] [events]
 *
 * The loads are in memory-loads.mjs; `server` is the first.
 */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import vm from 'node:vm';
import { LOADS } from './memory-loads.mjs';
import { load as modules, RECORDING, temporaryFolder } from './modules.mjs';

const load = LOADS.find(({ name }) => name === (process.argv[2] ?? 'server'));
if (load === undefined) {
  console.error(`no load '${process.argv[2]}'; there are ${LOADS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const wanted = Number(process.argv[3] ?? 10_000_000);
const { instrument, startRuntime } = await modules(RECORDING);

const spool = path.join(temporaryFolder('memory'), 'trace.trk');
let violations = 0;
const runtime = startRuntime({ spool, onViolation: () => violations++ });
const { code } = instrument(load.program, {
  path: 'server.js',
  displayPath: 'server.js',
  format: 'commonjs',
  language: 'js',
  runtimeUrl: '',
  wantMap: false,
});
const module = { exports: undefined };
vm.runInThisContext(`(function (require, module) {${code}\n})`)(createRequire(import.meta.url), module);

console.log(`${load.name}: ${load.text}; node ${process.version}, megabytes`);
console.log('| events logged | heap | typed arrays | trace |\n|---|---|---|---|');
const mega = (bytes) => (bytes / 2 ** 20).toFixed(1);
let next = 1_000_000;
while (runtime.recorder.tasks.log.next < wanted) {
  await module.exports(1000);
  if (runtime.recorder.tasks.log.next < next) continue;
  next += 1_000_000;
  // What is told by the garbage collector is told in a turn of its own.
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const logged = (runtime.recorder.tasks.log.next / 1e6).toFixed(1);
  console.log(`| ${logged} M | ${mega(heapUsed)} | ${mega(arrayBuffers)} | ${mega(statSync(spool).size)} |`);
}
runtime.finish();
console.log(`${violations} violations`);
