import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonReport } from '../../../src/check/json-results.ts';
import { temporaryFolder, trackside } from '../../cli/run.ts';

/* Threads that come to the memory they share at different times meet under `--schedule provoke`. */

const { write } = temporaryFolder();

const DEPOSITS = `
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

function deposit(accounts, amount) {
  const before = accounts[0];
  const after = before + amount;
  accounts[0] = after;
}

function lockedDeposit(accounts, lock, amount) {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0);
  deposit(accounts, amount);
  Atomics.store(lock, 0, 0);
}

if (isMainThread) {
  const memory = new SharedArrayBuffer(12);
  const isLocked = process.argv[2] === 'locked';
  const start = (pause) => new Worker(new URL(import.meta.url), { workerData: { memory, isLocked, pause } });
  const workers = [start(10), start(35)];
  const all = (event) => Promise.all(workers.map((worker) => new Promise((resolve) => worker.once(event, resolve))));
  await all('message');
  Atomics.store(new Int32Array(memory, 8, 1), 0, 1);
  Atomics.notify(new Int32Array(memory, 8, 1), 0);
  await all('exit');
  console.log('deposited', isLocked ? new Int32Array(memory)[0] : '');
} else {
  const { memory, isLocked, pause } = workerData;
  const accounts = new Int32Array(memory, 0, 1);
  const lock = new Int32Array(memory, 4, 1);
  parentPort.postMessage('ready');
  Atomics.wait(new Int32Array(memory, 8, 1), 0, 0);
  for (let i = 0; i < 5; i++) {
    if (isLocked) lockedDeposit(accounts, lock, pause);
    else deposit(accounts, pause);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}
`;

function provoked(...args: string[]): { labels: string[]; stdout: string } {
  const entry = write('deposits.mjs', DEPOSITS);
  const json = write('results.json', '');
  const { stdout } = trackside([
    ...['run', '--no-live', '--schedule', 'provoke', '--reporter', `json=${json}`],
    entry,
    ...args,
  ]);
  const report = JSON.parse(readFileSync(json, 'utf8')) as JsonReport;
  const labels = report.results[0].violations.flatMap(({ block }) => block?.label ?? []);
  return { labels: [...new Set(labels)], stdout };
}

test('a block of one thread is broken into by another', () => {
  expect(provoked()).toEqual({ labels: ['deposit'], stdout: 'deposited \n' });
});

test('behind a lock, nobody comes in', () => {
  expect(provoked('locked')).toEqual({ labels: [], stdout: 'deposited 225\n' });
});
