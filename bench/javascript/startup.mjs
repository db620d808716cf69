#!/usr/bin/env node
/*
 * What it takes to start: `trackside run` of one line against the same line without it. Milliseconds of the processor, of all
 * processes and threads, and by the clock; the best of many runs, in turn. Fails when a ratio (of the processor's time) is worse
 * than the recorded one by more than a third.
 *
 *   npm run build && node bench/javascript/startup.mjs [--record] [--against <tree with a build>]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HERE, temporaryFolder } from './modules.mjs';
import { measuring } from './processes.mjs';

/** In the first few, what is compiled is kept for the others. */
const RUNS = 12;
const RECORDED = new URL('recorded.json', import.meta.url);
const WORSE = 4 / 3;

const { values: options } = parseArgs({
  options: { record: { type: 'boolean', default: false }, against: { type: 'string' } },
});
const trees = [HERE, ...(options.against === undefined ? [] : [path.resolve(options.against)])];
const folder = temporaryFolder('startup');
// Certificates that the environment names are read by Node 20 whenever it starts, with or without us.
const measure = measuring(folder, { NODE_EXTRA_CA_CERTS: '' });

const recorded = JSON.parse(readFileSync(RECORDED, 'utf8'));
console.log(`node ${process.version}, milliseconds of the processor (and by the clock)`);
const heads = ['plain', 'watched', 'times', ...(trees.length === 1 ? [] : ['other', 'times'])];
console.log(`| one line of | ${heads.join(' | ')} |\n|---|${'---|'.repeat(heads.length)}`);
for (const ending of ['mjs', 'cjs', 'ts']) {
  const file = path.join(folder, `line.${ending}`);
  writeFileSync(file, 'console.log(1);\n');
  const plain = path.join(folder, ending === 'ts' ? 'line.mjs' : `line.${ending}`);
  const commands = [[plain], ...trees.map((tree) => [path.join(tree, 'dist/cli/main.js'), 'run', file])];
  const best = commands.map(() => ({ seconds: Number.POSITIVE_INFINITY, clock: Number.POSITIVE_INFINITY }));
  for (let i = 0; i < RUNS; i++)
    for (const [k, command] of commands.entries()) {
      const { seconds, clock } = measure(command);
      best[k] = { seconds: Math.min(best[k].seconds, seconds), clock: Math.min(best[k].clock, clock) };
    }
  const shown = ({ seconds, clock }) => `${(1000 * seconds).toFixed(0)} (${(1000 * clock).toFixed(0)})`;
  const times = best.slice(1).map(({ seconds }) => seconds / best[0].seconds);
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
