#!/usr/bin/env node
/*
 * What it takes to start: `trackside run` of one line against the same line without it. Milliseconds of the processor, of all
 * processes and threads, and by the clock; the best of many runs, in turn. Fails when a ratio (of the processor's time) is worse
 * than the recorded one by more than a third.
 *
 *   npm run build && node bench/javascript/startup.mjs [--record] [--against <tree with a build>]
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HERE, temporaryFolder } from './modules.mjs';

/** In the first few, what is compiled is kept for the others. */
const RUNS = 12;
const RECORDED = new URL('recorded.json', import.meta.url);
const WORSE = 4 / 3;

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, against: { type: 'string' } },
});
const trees = [HERE, ...(options.against === undefined ? [] : [path.resolve(options.against)])];
const folder = temporaryFolder('startup');
const told = path.join(folder, 'cost.txt');
const preload = path.join(folder, 'tell.cjs');
writeFileSync(
  preload,
  `const { appendFileSync } = require('node:fs');
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  appendFileSync(${JSON.stringify(told)}, user + system + '\\n');
});`,
);
// Certificates that the environment names are read by Node 20 whenever it starts, with or without us.
const env = { ...process.env, NODE_EXTRA_CA_CERTS: '', NODE_OPTIONS: `--require ${preload}` };

function cost(args) {
  rmSync(told, { force: true });
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  const clock = performance.now() - start;
  if (status !== 0) throw new Error(stderr);
  const costs = readFileSync(told, 'utf8').trim().split('\n').map(Number);
  return { processor: costs.reduce((sum, one) => sum + one, 0) / 1000, clock };
}

const recorded = JSON.parse(readFileSync(RECORDED, 'utf8'));
console.log(`node ${process.version}, milliseconds of the processor (and by the clock)`);
const heads = ['plain', 'watched', 'times', ...(trees.length === 1 ? [] : ['other', 'times'])];
console.log(`| one line of | ${heads.join(' | ')} |\n|---|${'---|'.repeat(heads.length)}`);
for (const ending of ['mjs', 'cjs', 'ts']) {
  const file = path.join(folder, `line.${ending}`);
  writeFileSync(file, 'console.log(1);\n');
  const plain = path.join(folder, ending === 'ts' ? 'line.mjs' : `line.${ending}`);
  const commands = [[plain], ...trees.map((tree) => [path.join(tree, 'dist/cli/main.js'), 'run', file])];
  const best = commands.map(() => ({ processor: Number.POSITIVE_INFINITY, clock: Number.POSITIVE_INFINITY }));
  for (let i = 0; i < RUNS; i++)
    for (const [k, command] of commands.entries()) {
      const { processor, clock } = cost(command);
      best[k] = { processor: Math.min(best[k].processor, processor), clock: Math.min(best[k].clock, clock) };
    }
  const shown = ({ processor, clock }) => `${processor.toFixed(0)} (${clock.toFixed(0)})`;
  const times = best.slice(1).map(({ processor }) => processor / best[0].processor);
  const cells = best.slice(1).flatMap((one, k) => [shown(one), times[k].toFixed(2)]);
  console.log(`| ${ending} | ${shown(best[0])} | ${cells.join(' | ')} |`);
  const name = `start of ${ending}`;
  if (options.record) recorded[name] = Number(times[0].toFixed(2));
  else if (recorded[name] !== undefined && times[0] > recorded[name] * WORSE) {
    console.error(`${name}: ${times[0].toFixed(2)} times Node itself, ${recorded[name]} recorded`);
    process.exitCode = 1;
  }
}
if (options.record) writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
