#!/usr/bin/env node
/*
 * What a program costs under instrumentation, against itself without: time of the processor, with a trace being written and
 * checked. Each load runs in processes of its own, plain and instrumented; the best of six rounds each.
 *
 *   node bench/javascript/cost.mjs [part of the name of a load] [--against <tree>] [--record] [--no-values]
 *
 * `--against` measures the sources of another tree in turn with these. `--record` makes this run the one that later runs are
 * compared with: a ratio that is worse by more than a third is a failure.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import vm from 'node:vm';
import { LOADS } from './loads.mjs';
import { bundle, HERE, RECORDING, temporaryFolder } from './modules.mjs';

/** The first few are spent compiling, which takes longer on a busy machine. */
const ROUNDS = 6;
const RECORDED = new URL('recorded.json', import.meta.url);
/** So much worse than recorded is a failure. */
const WORSE = 4 / 3;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    record: { type: 'boolean', default: false },
    'no-values': { type: 'boolean', default: false },
    /** For the processes that are measured: the URLs of the modules, or nothing to measure the plain program. */
    measure: { type: 'string' },
  },
});

function exportsOf(code) {
  const module = { exports: undefined };
  vm.runInThisContext(`(function (require, module) {${code}\n})`)(createRequire(import.meta.url), module);
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

/** Prints what the load costs, in this process. */
async function measure(urls, { program, size }) {
  if (urls.length === 0) {
    console.log(await nanoseconds(exportsOf(program), size));
    return;
  }
  const [{ instrument }, { startRuntime }] = await Promise.all(urls.map((url) => import(url)));
  const spool = path.join(temporaryFolder('cost'), 'trace.trk');
  const runtime = startRuntime({ spool, values: !options['no-values'], onViolation() {} });
  const { code } = instrument(program, {
    path: 'load.js',
    displayPath: 'load.js',
    format: 'commonjs',
    language: 'js',
    runtimeUrl: '',
    wantMap: false,
  });
  const cost = await nanoseconds(exportsOf(code), size);
  runtime.finish();
  console.log(cost);
}

function inProcess(urls, name) {
  const flags = options['no-values'] ? ['--no-values'] : [];
  const args = [fileURLToPath(import.meta.url), name, '--measure', urls.join(' '), ...flags];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const cost = Number(stdout.trim().split('\n').at(-1));
  if (!(cost > 0)) throw new Error(stdout + stderr);
  return cost;
}

if (options.measure !== undefined) {
  const urls = options.measure.split(' ').filter((url) => url !== '');
  await measure(
    urls,
    LOADS.find(({ name }) => name === positionals[0]),
  );
} else {
  const trees = [HERE, ...(options.against === undefined ? [] : [path.resolve(options.against)])];
  const modules = [];
  for (const tree of trees) modules.push(Object.values(await bundle(RECORDING, tree)));
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8'));
  const heads = trees.length === 1 ? ['instrumented', 'times'] : ['instrumented', 'times', 'other', 'times'];
  console.log(`node ${process.version}, nanoseconds of the processor`);
  console.log(`| load | a | plain | ${heads.join(' | ')} |\n|---|---|---|${'---|'.repeat(heads.length)}`);
  for (const { name, unit } of LOADS.filter(({ name }) => name.includes(positionals[0] ?? ''))) {
    // One after the other, twice, so that what else the machine does meets all of them.
    const costs = [[], ...modules].map(() => Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < 2; turn++)
      for (const [i, urls] of [[], ...modules].entries())
        costs[i] = Math.min(costs[i], inProcess(urls, name));
    const [plain, ...watched] = costs;
    const cells = watched.flatMap((cost) => [cost.toFixed(1), (cost / plain).toFixed(1)]);
    console.log(`| ${name} | ${unit} | ${plain.toFixed(1)} | ${cells.join(' | ')} |`);
    const times = watched[0] / plain;
    if (options.record) {
      recorded[name] = Number(times.toFixed(2));
    } else if (recorded[name] !== undefined && times > recorded[name] * WORSE) {
      console.error(`${name}: ${times.toFixed(1)} times the plain program, ${recorded[name]} recorded`);
      process.exitCode = 1;
    }
  }
  if (options.record) writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
}
