import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonReport } from '../../../src/check/json-results.ts';
import { temporaryFolder, trackside } from '../../cli/run.ts';

/* Requests that are far apart do not meet by themselves. Under `--schedule provoke` they do. */

const { write } = temporaryFolder();

const REQUESTS = `
import { setTimeout as pause } from 'node:timers/promises';
const requests = (handle) => Promise.all([0, 90, 200].map((at) => pause(at).then(() => handle(at + 1))));
`;

/** Each reads something, waits, and acts upon it. */
const BROKEN: Readonly<Record<string, string>> = {
  'behind an await': `
let stock = 5;
async function order(n) {
  if (stock > 0) {
    await pause(1);
    stock -= n;
  }
}
await requests(order);`,
  'behind an await of a function that it calls': `
const account = { balance: 5 };
async function pay() { await pause(1); }
async function order(n) {
  const { balance } = account;
  await pay();
  account.balance = balance - n;
}
await requests(order);`,
  'behind a file': `
import { readFile } from 'node:fs/promises';
const counts = new Map();
async function order(n) {
  const count = counts.get('a') ?? 0;
  await readFile(process.argv[1]);
  counts.set('a', count + n);
}
await requests(order);`,
  'in a callback of a promise': `
let stock = 5;
function order(n) {
  const before = stock;
  return pause(1).then(() => { stock = before - n; });
}
await requests(order);`,
  'in a callback of a timer': `
let stock = 5;
function order(n) {
  const before = stock;
  return new Promise((resolve) => setTimeout(() => { stock = before - n; resolve(); }, 1));
}
await requests(order);`,
  'behind a request of HTTP': `
import { createServer } from 'node:http';
const server = createServer((_, response) => response.end('paid')).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
let stock = 5;
async function order(n) {
  const before = stock;
  const response = await fetch('http://127.0.0.1:' + server.address().port);
  await response.text();
  stock = before - n;
}
await requests(order);
server.closeAllConnections();
server.close();`,
  'while a request of HTTP is on its way, whose own clock ticks more often': `
import { createServer } from 'node:http';
let answer;
const server = createServer((_, response) => { answer = () => response.end('late'); }).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const late = fetch('http://127.0.0.1:' + server.address().port);
await new Promise((resolve) => server.once('request', resolve));
let stock = 5;
async function order(n) {
  const before = stock;
  await pause(1);
  stock = before - n;
}
await Promise.all([300, 600].map((at) => pause(at).then(() => order(1))));
answer();
await (await late).text();
server.closeAllConnections();
server.close();`,
};

function run(
  source: string,
  ...options: string[]
): { status: number | null; labels: string[]; stdout: string } {
  const entry = write('program.mjs', REQUESTS + source);
  const json = write('results.json', '');
  const args = ['run', '--no-live', '--reporter', `json=${json}`, ...options, entry];
  const { status, stdout } = trackside(args);
  const report = JSON.parse(readFileSync(json, 'utf8')) as JsonReport;
  const labels = report.results[0].violations.flatMap(({ block }) => block?.label ?? []);
  return { status, labels: [...new Set(labels)], stdout };
}

describe('a change that comes', () => {
  for (const [how, source] of Object.entries(BROKEN)) {
    test(`${how} is broken into`, () => {
      const provoked = run(source, '--schedule', 'provoke');
      expect(provoked.labels).toEqual(['order']);
      expect(provoked.status).toBe(1);
    });
  }
});

test('where a lock of its own keeps others out, nobody comes in, and nothing waits for ever', () => {
  const locked = `
let tail = Promise.resolve();
let stock = 5;
async function take(n) {
  const before = stock;
  await pause(1);
  stock = before - n;
  return stock;
}
const order = (n) => (tail = tail.then(() => take(n)));
console.log(await requests(order));`;
  const plain = run(locked);
  const provoked = run(locked, '--schedule', 'provoke');
  expect(provoked).toEqual(plain);
  expect(plain.stdout).toBe('[ 4, -87, -288 ]\n');
});
