#!/usr/bin/env node
/*
 * What `trackside run` costs where calls wait for each other ever deeper: functions that poll by calling themselves. Time of the
 * processor of all processes, less that of an empty program, and the slope on logarithmic axes: 1 is linear, 2 quadratic.
 * Fails when a row grows faster than `STEEPEST`.
 *
 *   npm run build && node bench/javascript/depth.mjs [part of a row's name]
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { HERE, temporaryFolder } from './modules.mjs';
import { measuring } from './processes.mjs';

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

ROWS.push({
  name: 'a callback that goes on by setImmediate',
  sizes: [2000, 4000, 8000, 16_000],
  options: [],
  program: (size) => `const state = { last: 0, sum: 0 };
let rounds = 0;
function round() { state.last = rounds; state.sum += state.last; if (++rounds < ${size}) setImmediate(round); }
round();`,
});

ROWS.push({
  name: 'promises that go on without being awaited',
  sizes: [2000, 4000, 8000, 16_000],
  options: [],
  program: (size) => `const state = { last: 0, sum: 0 };
let rounds = 0;
async function round() { const { last } = state; await null; state.last = last + 1; state.sum += last; if (++rounds < ${size}) void round(); }
await round();`,
});

ROWS.push({
  name: 'tasks open at once',
  sizes: [4000, 8000, 16_000],
  options: [],
  megabytes: 200,
  program: (size) => `const state = { last: 0 };
let go;
const gate = new Promise((resolve) => (go = resolve));
async function handle(i) { await gate; state.last = i; await gate; }
const all = Array.from({ length: ${size} }, (_, i) => handle(i));
go();
await Promise.all(all);`,
});

const folder = temporaryFolder('depth');
const measure = measuring(folder);

/** 1 is the exit code for violations. */
function cost(program, options) {
  const file = path.join(folder, 'program.mjs');
  writeFileSync(file, program);
  const args = [path.join(HERE, 'dist/cli/main.js'), 'run', '--quiet', ...options, file];
  return measure(args, (status) => status === 0 || status === 1);
}

const floor = Math.min(cost('', []).seconds, cost('', []).seconds);
console.log(`node ${process.version}, seconds of the processor; an empty program takes ${floor.toFixed(2)}`);
console.log('| program | sizes | seconds | MB | slope |\n|---|---|---|---|---|');
for (const { name, sizes, options, program, megabytes: most = Number.POSITIVE_INFINITY } of ROWS) {
  if (!name.includes(process.argv[2] ?? '')) continue;
  const measured = sizes.map((size) => cost(program(size), options));
  const costs = measured.map(({ seconds }) => Math.max(0.01, seconds - floor));
  const memory = measured.map(({ megabytes }) => megabytes);
  const slope = Math.log(costs.at(-1) / costs[0]) / Math.log(sizes.at(-1) / sizes[0]);
  const cells = [
    name,
    sizes.join(', '),
    costs.map((seconds) => seconds.toFixed(2)).join(', '),
    memory.map((megabytes) => megabytes.toFixed(0)).join(', '),
    slope.toFixed(2),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  if (slope > STEEPEST || Math.max(...memory) > most) {
    console.error(`${name}: grows by the power of ${slope.toFixed(2)}, or takes more than ${most} MB`);
    process.exitCode = 1;
  }
}
