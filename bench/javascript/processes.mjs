/*
 * What a command takes, with all the processes that it starts: each tells at its end.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Measures commands of Node; the folder is for files of its own. */
export function measuring(folder, environment = {}) {
  const told = path.join(folder, 'cost.txt');
  const preload = path.join(folder, 'tell.cjs');
  writeFileSync(
    preload,
    `const { appendFileSync } = require('node:fs');
if (require('node:worker_threads').isMainThread)
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const line = [user + system, process.resourceUsage().maxRSS].join(' ');
    appendFileSync(${JSON.stringify(told)}, line + '\\n');
  });`,
  );
  const env = { ...process.env, ...environment, NODE_OPTIONS: `--require ${preload}` };
  /** Seconds of the processor, of all processes and by the clock, and the megabytes of the largest. */
  return (args, isExpected = (status) => status === 0) => {
    rmSync(told, { force: true });
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    const clock = (performance.now() - start) / 1000;
    if (!isExpected(status)) throw new Error(stderr);
    const costs = readFileSync(told, 'utf8').trim().split('\n');
    const figures = costs.map((line) => line.split(' ').map(Number));
    return {
      seconds: figures.reduce((sum, [one]) => sum + one, 0) / 1e6,
      clock,
      megabytes: Math.max(...figures.map(([, kilobytes]) => kilobytes)) / 1024,
    };
  };
}
