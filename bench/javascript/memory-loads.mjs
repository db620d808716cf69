/*
 * Programs that run for as long as they are asked to: each exports `serve(count)`, which handles about so many requests.
 */

const server = `
const { setImmediate: turn } = require('node:timers/promises');
const sessions = new Map();
const stats = { open: 0, served: 0 };
let requests = 0;
async function session(id) {
  let found = sessions.get(id);
  if (found === undefined) { found = { id, visits: 0, last: null }; sessions.set(id, found); }
  await null;
  return found;
}
async function note(entry) { await turn(); stats.served++; entry.done = true; }
async function handle(request) {
  stats.open++;
  const found = await session(request.session);
  found.visits++;
  found.last = request;
  const answer = { status: 200, lines: [] };
  for (let i = 0; i < 5; i++) answer.lines.push(request.path + i);
  await null;
  note({ request, done: false });
  setTimeout(() => { stats.open--; }, 0);
  if (found.visits > 20) sessions.delete(found.id);
  return answer;
}
module.exports = async function serve(count) {
  for (let i = 0; i < count; i += 20) {
    const batch = [];
    for (let j = 0; j < 20; j++) batch.push(handle({ session: 's' + ((requests++ / 21) | 0), path: '/' + i }));
    await Promise.all(batch);
    await turn();
  }
};`;

/** The server inside of a block that is open for as long as it runs, so that all that happens may still matter to it. */
const insideMain = `${server.replace('module.exports =', '')}
const asked = { count: 0 };
let answer = null;
async function main() {
  asked.began = true;
  for (;;) {
    const { count, done } = await new Promise((resolve) => { answer = resolve; });
    asked.count += count;
    await serve(count);
    done();
  }
}
main();
module.exports = (count) => new Promise((done) => answer({ count, done }));`;

const counter = `
const { setImmediate: turn } = require('node:timers/promises');
const counts = { hits: 0 };
async function hit() { counts.hits++; await null; counts.hits++; }
module.exports = async function serve(count) {
  for (let i = 0; i < count; i++) { hit(); if (i % 50 === 49) await turn(); }
};`;

const config = `
const { setImmediate: turn } = require('node:timers/promises');
const config = { limit: 10, name: 'server' };
async function handle(size) { if (size > config.limit) return null; await null; return config.name + size; }
module.exports = async function serve(count) {
  for (let i = 0; i < count; i++) { handle(i % 20); if (i % 50 === 49) await turn(); }
};`;

const keys = `
const { setImmediate: turn } = require('node:timers/promises');
const pending = new Map();
let next = 0;
async function finish(key) { await turn(); pending.get(key).done = true; pending.delete(key); }
async function start() { const key = 'job ' + next++; pending.set(key, { key, done: false }); finish(key); await null; }
module.exports = async function serve(count) {
  for (let i = 0; i < count; i++) { start(); if (i % 50 === 49) await turn(); }
};`;

const connections = `
const { setImmediate: turn } = require('node:timers/promises');
const rooms = Array.from({ length: 50 }, () => ({ members: 0, last: null }));
const waiting = [];
async function connection(id) {
  const room = rooms[id % rooms.length];
  room.members++;
  for (;;) {
    const message = await new Promise((resolve) => { waiting[id] = resolve; });
    room.last = message;
    deliver(room, message);
  }
}
async function deliver(room, message) { await null; message.delivered = room.last === message; }
for (let id = 0; id < 1000; id++) connection(id);
let next = 0;
module.exports = async function serve(count) {
  for (let i = 0; i < count; i++) {
    waiting[next++ % 1000]({ text: 'hello', delivered: false });
    if (i % 50 === 49) await turn();
  }
};`;

const timeouts = `
const { setImmediate: turn } = require('node:timers/promises');
const seen = { late: 0 };
async function work() { await turn(); }
async function limited() {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => { seen.late++; reject(new Error('late')); }, 60000); });
  const work1 = work();
  work1.catch(() => { seen.late++; });
  try { await Promise.race([work1, late]); } finally { clearTimeout(timer); }
}
module.exports = async function serve(count) {
  for (let i = 0; i < count; i += 20) await Promise.all(Array.from({ length: 20 }, limited));
};`;

export const LOADS = [
  {
    name: 'server',
    text: 'requests, sessions that come and go, timers, tasks nobody waits for',
    program: server,
  },
  { name: 'main', text: 'the same inside of a block that never ends', program: insideMain },
  { name: 'counter', text: 'a counter that nobody reads', program: counter },
  { name: 'config', text: 'an object that everybody reads', program: config },
  { name: 'keys', text: 'a Map whose keys are used once', program: keys },
  {
    name: 'connections',
    text: '1,000 open connections, each in a block that never ends',
    program: connections,
  },
  { name: 'timeouts', text: 'timers that are cleared, callbacks that are never called', program: timeouts },
];
