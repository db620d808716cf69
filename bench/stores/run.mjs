#!/usr/bin/env node
/*
 * What it costs to watch a server with a database: the one in server.mjs on PostgreSQL, under load, plain and watched in turn. Prints
 * requests per second, and the processor time of the server for each. Needs `npm run build`, the drivers (scripts/install-drivers.sh)
 * and PostgreSQL (scripts/install-databases.sh).
 *
 *   node bench/stores/run.mjs [--requests 4000] [--rounds 3]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from './postgres.mjs';

/** What the ratio of requests per second is to be below. */
const AIM = 2.5;
const CONNECTIONS = 16;
const ITEMS = 50;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '4000' }, rounds: { type: 'string', default: '3' } },
});
const REQUESTS = Number(values.requests);
const ROUNDS = Number(values.rounds);
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const DRIVERS = fileURLToPath(new URL('../../test/stores/node_modules', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'trackside-bench-'));
cpSync(new URL('server.mjs', import.meta.url), join(folder, 'server.mjs'));
symlinkSync(DRIVERS, join(folder, 'node_modules'));

function ask(agent, port, method, path, body) {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, host: '127.0.0.1', method, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The n-th request: of ten, five look at an item or at the list, two change one, one orders, makes and removes one each. */
function nth(agent, port, n) {
  const id = 1 + ((n * 7) % ITEMS);
  switch (n % 10) {
    case 0:
      return ask(agent, port, 'POST', '/items', { name: `item ${n}`, price: n });
    case 1:
      return ask(agent, port, 'DELETE', `/items/${ITEMS + n}`);
    case 2:
      return ask(agent, port, 'POST', `/items/${id}/order`);
    case 3:
    case 4:
      return ask(agent, port, 'PUT', `/items/${id}`, { price: n });
    case 5:
      return ask(agent, port, 'GET', '/items');
    default:
      return ask(agent, port, 'GET', `/items/${id}`);
  }
}

async function load(port, requests) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < requests) await nth(agent, port, next++);
    }),
  );
  agent.destroy();
}

async function usageOf(port) {
  const { user, system } = JSON.parse(await ask(undefined, port, 'GET', '/usage'));
  return user + system;
}

/** The server that is being measured. */
let running = null;

/** One server under load: requests per second, and microseconds of the processor for each. */
async function measure(isWatched, env) {
  const command = isWatched ? [MAIN, 'run', '--quiet', 'server.mjs'] : ['server.mjs'];
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  const ended = once(child, 'exit');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const port = Number(line);
  await load(port, REQUESTS / 2);
  const before = await usageOf(port);
  const started = performance.now();
  await load(port, REQUESTS);
  const seconds = (performance.now() - started) / 1000;
  const used = (await usageOf(port)) - before;
  await ask(undefined, port, 'GET', '/end');
  await ended;
  return { perSecond: REQUESTS / seconds, cpu: used / REQUESTS };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

const database = await startPostgres();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    running?.kill();
    database.stop();
    process.exit(1);
  });
try {
  const env = { PGURL: database.url };
  const measured = { plain: [], watched: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of ['plain', 'watched']) {
      database.sql(
        `DROP TABLE IF EXISTS items; CREATE TABLE items (id serial PRIMARY KEY, name text, price int); INSERT INTO items (name, price) SELECT 'item', 1 FROM generate_series(1, ${ITEMS})`,
      );
      measured[kind].push(await measure(kind === 'watched', env));
    }
  const of = (kind, what) => median(measured[kind].map((each) => each[what]));
  for (const kind of ['plain', 'watched'])
    console.log(
      `${kind.padEnd(8)} ${of(kind, 'perSecond').toFixed(0).padStart(6)} requests/s ${of(kind, 'cpu').toFixed(0).padStart(6)} µs of the processor each`,
    );
  const ratio = of('plain', 'perSecond') / of('watched', 'perSecond');
  const cpu = of('watched', 'cpu') / of('plain', 'cpu');
  console.log(
    `watched, it takes ${ratio.toFixed(2)} times as long (aim: below ${AIM}), and ${cpu.toFixed(2)} times the processor time`,
  );
  if (ratio >= AIM) process.exitCode = 1;
} finally {
  database.stop();
  rmSync(folder, { recursive: true, force: true });
}
