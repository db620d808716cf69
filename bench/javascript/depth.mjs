#!/usr/bin/env node
/*
 * What `trackside run` costs where calls wait for each other ever deeper: functions that poll by calling themselves. Time of the
 * processor of all processes, less that of an empty program, and the slope on logarithmic axes: 1 is linear, 2 quadratic.
 * Fails when a row grows faster than `STEEPEST`.
 *
 *   npm run build && node bench/javascript/depth.mjs
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HERE, temporaryFolder } from './modules.mjs';

const STEEPEST = 1.5;

const ROWS = [
  {
    name: 'promises that poll by setImmediate',
    sizes: [400, 800, 1600, 3200],
    options: [],
    program: (size) => `let polls = 0, busy = true;
const wait = () => busy ? new Promise((resolve) => setImmediate(() => wait().then(resolve))) : Promise.resolve();
const other = { n: 0 };
async function waiter() { await wait(); other.n++; }
async function holder() { while (++polls < ${size}) await new Promise((r) => setImmediate(r)); busy = false; other.n++; }
await Promise.all([waiter(), waiter(), holder()]);`,
  },
  {
    name: 'so many tasks at a spin lock, provoked',
    sizes: [2, 4, 8],
    options: ['--schedule', 'provoke', '--seed', '1'],
    program: (size) => `import { readFile } from 'node:fs/promises';
const locks = new Map();
function acquire(id) {
  if (!locks.has(id)) { locks.set(id, true); return Promise.resolve(); }
  return new Promise((resolve) => setImmediate(() => acquire(id).then(resolve)));
}
const state = { n: 0 };
async function patch() {
  await acquire('a');
  try {
    const { n } = state;
    await readFile(new URL(import.meta.url));
    state.n = n + 1;
  } finally { locks.delete('a'); }
}
await Promise.all(Array.from({ length: ${size} }, patch));`,
  },
];

const folder = temporaryFolder('depth');
const told = path.join(folder, 'cost.txt');
const preload = path.join(folder, 'tell.cjs');
writeFileSync(
  preload,
  `const { appendFileSync } = require('node:fs');
if (require('node:worker_threads').isMainThread)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    appendFileSync(${JSON.stringify(told)}, (user + system) + '\\n');
  });`,
);

/** Seconds of the processor, of all processes. */
function cost(program, options) {
  const file = path.join(folder, 'program.mjs');
  writeFileSync(file, program);
  rmSync(told, { force: true });
  const args = [path.join(HERE, 'dist/cli/main.js'), 'run', '--quiet', ...options, file];
  const env = { ...process.env, NODE_OPTIONS: `--require ${preload}` };
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (status !== 0 && status !== 1) throw new Error(stderr);
  const costs = readFileSync(told, 'utf8').trim().split('\n').map(Number);
  return costs.reduce((sum, one) => sum + one, 0) / 1e6;
}

const floor = Math.min(cost('', []), cost('', []));
console.log(`node ${process.version}, seconds of the processor; an empty program takes ${floor.toFixed(2)}`);
console.log('| program | sizes | seconds | slope |\n|---|---|---|---|');
for (const { name, sizes, options, program } of ROWS) {
  const costs = sizes.map((size) => Math.max(0.01, cost(program(size), options) - floor));
  const slope = Math.log(costs.at(-1) / costs[0]) / Math.log(sizes.at(-1) / sizes[0]);
  const cells = [
    name,
    sizes.join(', '),
    costs.map((seconds) => seconds.toFixed(2)).join(', '),
    slope.toFixed(2),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  if (slope > STEEPEST) {
    console.error(`${name}: grows by the power of ${slope.toFixed(2)}`);
    process.exitCode = 1;
  }
}
