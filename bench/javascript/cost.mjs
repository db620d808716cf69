#!/usr/bin/env node
/*
 * What a program costs under instrumentation, against itself without, in one run: the plain programs first, then the
 * instrumented ones with a trace being written and checked. The best of three rounds each.
 *
 *   npm run build && node bench/javascript/cost.mjs [--no-values] [part of the name of a load]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { LOADS } from './loads.mjs';

const require = createRequire(import.meta.url);
const ROUNDS = 3;
const dist = process.env.TRACKSIDE_DIST ?? new URL('../../dist', import.meta.url).pathname;
const { instrument } = await import(`${dist}/node/instrument/instrument.js`);
const { startRuntime } = await import(`${dist}/node/runtime/index.js`);

function load(code) {
  const module = { exports: undefined };
  vm.runInThisContext(`(function (require, module) {${code}\n})`)(require, module);
  return module.exports;
}

/** Of the processor, so that other programs on the machine count less. */
async function nanoseconds(run, size) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await run(size);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return (best * 1000) / size;
}

const values = !process.argv.includes('--no-values');
const [wanted = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const chosen = LOADS.filter(({ name }) => name.includes(wanted));
const plain = [];
for (const { program, size } of chosen) plain.push(await nanoseconds(load(program), size));

const directory = mkdtempSync(path.join(tmpdir(), 'trackside-cost-'));
const runtime = startRuntime({ spool: path.join(directory, 'trace.trk'), values, onViolation() {} });
console.log(`node ${process.version}, nanoseconds`);
console.log('| load | a | plain | instrumented | times |\n|---|---|---|---|---|');
for (const [i, { name, unit, program, size }] of chosen.entries()) {
  const { code } = instrument(program, {
    path: 'load.js',
    displayPath: 'load.js',
    format: 'commonjs',
    language: 'js',
    runtimeUrl: '',
    wantMap: false,
  });
  const cost = await nanoseconds(load(code), size);
  const times = (cost / plain[i]).toFixed(1);
  console.log(`| ${name} | ${unit} | ${plain[i].toFixed(1)} | ${cost.toFixed(1)} | ${times} |`);
}
runtime.finish();
rmSync(directory, { recursive: true });
