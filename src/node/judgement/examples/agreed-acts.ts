import { program, type RuleExample } from './program.ts';

/**
 * Acts upon what was read before that are no bugs, as tasks have agreed on who may act: one hands over to another, they share a
 * result, or a lock or a number guards.
 */
export const AGREED_ACTS: Readonly<Record<string, RuleExample>> = {
  'hand-off': {
    example: program(`
let writing = false;
const waiting = [];
async function acquire() {
  if (writing) return new Promise((resolve) => waiting.push(resolve));
  writing = true;
}
function release() {
  writing = false;
  const next = waiting.shift();
  if (next) { writing = true; next(); }
}
async function task() { await acquire(); await turn(); release(); }
module.exports = Promise.all([task(), task()]);`),
    twin: program(`
let writing = false;
const waiting = [];
async function acquire() {
  if (writing) await new Promise((resolve) => waiting.push(resolve));
  writing = true;
}
function release() {
  writing = false;
  waiting.shift()?.();
}
async function task() { for (let i = 0; i < 2; i++) { await acquire(); await turn(); release(); } }
module.exports = Promise.all([task(), task()]);`),
  },
  reserved: {
    example: program(`
const open = [];
let opening = 0;
async function connect() {
  if (open.length + opening >= 2) return;
  opening++;
  await turn();
  open.push('c');
  opening--;
}
module.exports = Promise.all([connect(), connect(), connect()]);`),
    twin: program(`
const open = [];
let attempts = 0;
async function connect() {
  if (open.length >= 1 || attempts > 9) return;
  attempts++;
  await turn();
  open.push('c');
}
module.exports = Promise.all([connect(), connect()]);`),
  },
  'locked-apart': {
    example: program(`
const bookings = [];
async function book(day) {
  await lock(day, async () => {
    if (bookings.some((other) => other === day)) return;
    await turn();
    bookings.push(day);
  });
}
module.exports = Promise.all([book('monday'), book('friday')]).then(() => book('friday'));`),
    twin: program(`
const bookings = [];
async function book(day, n) {
  await lock(day + n, async () => {
    if (bookings.some((other) => other === day)) return;
    await turn();
    bookings.push(day);
  });
}
module.exports = Promise.all([book('monday', 1), book('monday', 2)]);`),
  },
  'shared-result': {
    example: program(`
const auth = { token: null, pending: null };
const fetchToken = async () => { await turn(); return 'secret'; };
async function token() {
  if (auth.token) return auth.token;
  auth.pending ??= fetchToken();
  auth.token = await auth.pending;
  return auth.token;
}
module.exports = Promise.all([token(), token()]);`),
    twin: program(`
const auth = { token: null };
const fetchToken = async () => { await turn(); return 'secret'; };
async function token() {
  if (auth.token) return auth.token;
  auth.token = await fetchToken();
  return auth.token;
}
module.exports = Promise.all([token(), token()]);`),
  },
  'loaded-twice': {
    example: program(`
const state = { code: null };
async function load() {
  if (state.code === null) {
    const load = async (name) => await import(name);
    const { join, dirname } = await load('node:path');
    state.code = { join, dirname };
  }
  return state.code;
}
module.exports = Promise.all([load(), load()]);`),
    twin: program(`
const state = { code: null };
let registered = 0;
async function load() {
  if (state.code === null) {
    const { parse, format } = await import('node:url');
    await turn();
    registered++;
    state.code = { parse, format };
  }
  return state.code;
}
module.exports = Promise.all([load(), load()]);`),
  },
  'same-failure': {
    example: program(`
const batch = { failed: false };
const work = async () => { await turn(); throw new Error('down'); };
async function task() {
  if (batch.failed) return;
  try { await work(); } catch { batch.failed = true; }
}
module.exports = Promise.all([task(), task()]);`),
    twin: program(`
const seat = { taken: false };
async function task() {
  if (seat.taken) return;
  await turn();
  seat.taken = true;
}
module.exports = Promise.all([task(), task()]);`),
  },
  'guarded-write': {
    example: program(`
const seats = new Int32Array(new SharedArrayBuffer(4)).fill(2);
async function take() {
  const before = Atomics.load(seats, 0);
  await turn();
  return Atomics.compareExchange(seats, 0, before, before - 1) === before;
}
async function swap() { await null; Atomics.store(seats, 0, 1); Atomics.store(seats, 0, 2); }
module.exports = Promise.all([take(), swap()]);`),
    twin: program(`
const seats = new Int32Array(new SharedArrayBuffer(4)).fill(2);
async function take() {
  const before = Atomics.load(seats, 0);
  await turn();
  Atomics.store(seats, 0, before - 1);
}
module.exports = Promise.all([take(), take()]);`),
  },
};
