import { ACCESSES } from './access-loads.mjs';
import { COMPUTING } from './computing-loads.mjs';
import { SERVICES } from './service-loads.mjs';

/*
 * The programs that are measured, as CommonJS: each exports `run(size)`, which does `size` pieces of work.
 */
export const LOADS = [
  {
    name: 'HTTP server',
    unit: 'request',
    size: 2000,
    program: `
const http = require('node:http');
const sessions = new Map();
const stats = { served: 0 };
async function session(id) {
  if (!sessions.has(id)) sessions.set(id, { id, visits: 0 });
  await null;
  return sessions.get(id);
}
async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
async function answer(request) {
  const found = await session(request.headers['x-session']);
  const text = await body(request);
  found.visits++;
  stats.served++;
  return JSON.stringify({ session: found.id, visits: found.visits, length: text.length });
}
async function serve(request, response) {
  try {
    const text = await answer(request);
    response.setHeader('content-type', 'application/json');
    response.end(text);
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}
module.exports = async function run(size) {
  const server = http.createServer(serve);
  await new Promise((resolve) => server.listen(0, resolve));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 10 });
  const post = (i) => new Promise((resolve, reject) => {
    const request = http.request(
      { port: server.address().port, method: 'POST', agent, headers: { 'x-session': 's' + (i % 50) } },
      (response) => response.resume().on('end', resolve),
    );
    request.on('error', reject);
    request.end('hello');
  });
  for (let i = 0; i < size; i += 20) await Promise.all(Array.from({ length: 20 }, (_, j) => post(i + j)));
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
  return stats.served;
};`,
  },
  {
    name: 'async functions without I/O',
    unit: 'request',
    size: 20_000,
    program: `
const { setImmediate: turn } = require('node:timers/promises');
const users = new Map();
const stats = { served: 0, errors: 0 };
for (let i = 0; i < 1000; i++) users.set('user' + i, { id: i, name: 'n' + i, visits: 0 });
async function find(name) { await null; return users.get(name); }
async function authorize(user, right) { await null; return user.id % 7 !== 0 || right === 'read'; }
async function render(user, body) { await null; return JSON.stringify({ name: user.name, body, at: user.visits }); }
async function handle(request) {
  const user = await find(request.user);
  if (!(await authorize(user, request.right))) { stats.errors++; return { status: 403, body: '' }; }
  user.visits++;
  const body = await render(user, request.path);
  stats.served++;
  return { status: 200, body };
}
module.exports = async function run(size) {
  let served = 0;
  for (let i = 0; i < size; i += 50) {
    const batch = [];
    for (let j = i; j < i + 50; j++) batch.push(handle({ user: 'user' + (j % 1000), right: 'write', path: '/' + j }));
    for (const answer of await Promise.all(batch)) if (answer.status === 200) served++;
    await turn();
  }
  return served;
};`,
  },
  {
    name: 'bare awaits',
    unit: 'await',
    size: 500_000,
    program: `
async function step(i) { await null; return i; }
module.exports = async function run(size) {
  let sum = 0;
  for (let i = 0; i < size / 2; i++) sum += await step(i);
  return sum;
};`,
  },
  {
    name: 'tight property loop',
    unit: 'access',
    size: 10_000_000,
    program: `
const point = { x: 1, y: 2, z: 3 };
module.exports = async function run(size) {
  let sum = 0;
  for (let i = 0; i < size / 4; i++) { point.x = i; sum += point.x + point.y + point.z; }
  return sum;
};`,
  },
  {
    name: 'many short-lived objects',
    unit: 'object',
    size: 1_000_000,
    program: `
class Vector { constructor(x, y) { this.x = x; this.y = y; } plus(o) { return new Vector(this.x + o.x, this.y + o.y); } }
module.exports = async function run(size) {
  let sum = new Vector(0, 0);
  const one = new Vector(1, 2);
  for (let i = 0; i < size; i++) sum = sum.plus(one);
  return sum.x + sum.y;
};`,
  },
  {
    name: 'array loop',
    unit: 'element',
    size: 2_000_000,
    program: `
module.exports = async function run(size) {
  const values = [];
  for (let i = 0; i < 1000; i++) values.push(i);
  let sum = 0;
  for (let round = 0; round < size / 1000; round++) for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
};`,
  },
  {
    name: 'Map-heavy',
    unit: 'operation',
    size: 1_000_000,
    program: `
module.exports = async function run(size) {
  const counts = new Map();
  for (let i = 0; i < size / 2; i++) {
    const key = 'k' + (i % 500);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts.size;
};`,
  },
  ...SERVICES,
  ...COMPUTING,
  ...ACCESSES,
];
