import { program, type RuleExample, STALE } from './program.ts';

/** Acts upon what was read before that are no bugs, by what the block itself does. */
export const EXCUSED_ACTS: Readonly<Record<string, RuleExample>> = {
  'not-meant': {
    example: program(`
const account = { balance: 100 };
// trackside-ignore-next-line the newest value wins
async function withdraw(amount) {
  const { balance } = account;
  await turn();
  account.balance = balance - amount;
}
async function handle(amount) { await withdraw(amount); }
module.exports = Promise.all([handle(10), handle(20)]);`),
    twin: STALE,
  },
  'added-behind': {
    example: program(`
const buffer = ['a', 'b'];
const sent = [];
async function flush() {
  const batch = buffer.slice();
  await turn();
  sent.push(batch);
  buffer.splice(0, batch.length);
}
async function add(line) { await null; buffer.push(line); }
module.exports = Promise.all([flush(), add('c')]);`),
    twin: program(`
const buffer = ['a', 'b'];
const sent = [];
async function flush() {
  const batch = buffer.slice();
  await turn();
  sent.push(batch);
  buffer.splice(0, batch.length);
}
module.exports = Promise.all([flush(), flush()]);`),
  },
  'put-back': {
    example: program(`
const idle = [];
let returning = 0;
async function acquire() { return idle.pop() ?? 'new'; }
async function use() {
  const connection = await acquire();
  await turn();
  if (idle.length + returning >= 2) return;
  returning++;
  await turn();
  idle.push(connection);
  returning--;
}
module.exports = Promise.all([use(), use(), use()]);`),
    twin: program(`
const idle = [];
async function release(connection) {
  if (idle.length > 0) return;
  await turn();
  idle.push(connection);
}
module.exports = Promise.all([release('c1'), release('c2')]);`),
  },
  'taken-whole': {
    example: program(`
let queue = [];
const sent = [];
async function add(line) {
  queue.push(line);
  if (queue.length < 2) return;
  await turn();
  const all = queue;
  queue = [];
  for (const one of all) sent.push(one);
}
module.exports = Promise.all([add(1), add(2), add(3)]);`),
    twin: program(`
let queue = [];
const sent = [];
async function add(line) {
  queue.push(line);
  if (queue.length < 2) return;
  const all = queue.slice();
  await turn();
  queue = [];
  for (const one of all) sent.push(one);
}
module.exports = Promise.all([add(1), add(2), add(3)]);`),
  },
  compensated: {
    example: program(`
const stock = new Map([['pen', 5]]);
async function order(n, fails) {
  const left = stock.get('pen') - n;
  if (left < 0) return;
  stock.set('pen', left);
  await turn();
  if (fails) stock.set('pen', stock.get('pen') + n);
}
module.exports = Promise.all([order(2, true), order(1)]);`),
    twin: program(`
const stock = new Map([['pen', 5]]);
async function order(n) {
  if (stock.get('pen') < n) return;
  await turn();
  stock.set('pen', stock.get('pen') - n);
}
module.exports = Promise.all([order(3), order(4)]);`),
  },
  'another-round': {
    example: program(`
const bucket = { tokens: 1, filled: 0 };
let now = 0;
function refill() {
  bucket.tokens = Math.min(2, bucket.tokens + now - bucket.filled);
  bucket.filled = now;
}
async function take() {
  for (;;) {
    refill();
    if (bucket.tokens >= 1) { bucket.tokens -= 1; return; }
    await turn();
    now++;
  }
}
module.exports = Promise.all([take(), take(), take()]);`),
    twin: program(`
const stock = { left: 2 };
async function ship() {
  while (stock.left > 0) {
    await turn();
    stock.left = stock.left - 1;
  }
}
module.exports = Promise.all([ship(), ship()]);`),
  },
  'taken-at-once': {
    example: program(`
const vouchers = new Set(['x']);
async function redeem(code) {
  if (!vouchers.has(code)) return false;
  await turn();
  return vouchers.delete(code);
}
module.exports = Promise.all([redeem('x'), redeem('x')]);`),
    twin: program(`
const vouchers = new Set(['x']);
async function redeem(code) {
  if (!vouchers.has(code)) return false;
  await turn();
  vouchers.delete(code);
  return true;
}
module.exports = Promise.all([redeem('x'), redeem('x')]);`),
  },
  unconnected: {
    example: program(`
const box = { n: 0 };
async function both() {
  const look = (async () => { await null; return box.n; })();
  const set = (async () => { await turn(); await turn(); box.n = 5; })();
  await Promise.all([look, set]);
}
async function other() { await turn(); box.n = 1; }
module.exports = Promise.all([both(), other()]);`),
    twin: STALE,
  },
  'commuting-update': {
    example: program(`
const stats = { hits: 0 };
async function handle() {
  if (stats.hits > 1000) return;
  stats.hits++;
  await turn();
  stats.hits++;
}
module.exports = Promise.all([handle(), handle()]);`),
    twin: program(`
const shop = { stock: 1 };
async function buy() {
  if (shop.stock === 0) return;
  await turn();
  shop.stock--;
}
module.exports = Promise.all([buy(), buy()]);`),
  },
  'own-value': {
    example: program(`
const fields = { id: null };
async function render(type) {
  fields.id = { type };
  const row = fields.id.type;
  await turn();
  return row;
}
async function load() { if (await render('number')) return render('string'); }
module.exports = Promise.all([load(), load()]);`),
    twin: program(`
const fields = { id: { type: 'number' } };
async function render(type) {
  const row = fields.id.type;
  await turn();
  fields.id = { type };
  return row;
}
async function load() { if (await render('number')) return render('string'); }
module.exports = Promise.all([load(), load()]);`),
  },
  independent: {
    example: program(`
const page = { title: 'old', views: [] };
async function show(title) {
  page.views.push(page.title.length);
  await turn();
  page.title = title;
}
module.exports = Promise.all([show('one'), show('two')]);`),
    twin: STALE,
  },
  'compared-again': {
    example: program(`
const doc = { text: 'a' };
async function edit(more) {
  for (;;) {
    const before = doc.text;
    await turn();
    if (doc.text === before) { doc.text = before + more; return; }
  }
}
async function restore() { await null; doc.text = 'b'; await null; doc.text = 'a'; }
module.exports = Promise.all([edit('x'), restore()]);`),
    twin: STALE,
  },
  'looked-again': {
    example: program(`
const cache = new Map();
const load = async (key) => { await turn(); return key; };
async function get(key) {
  if (cache.has(key)) return cache.get(key);
  const value = await load(key);
  if (!cache.has(key) || cache.get(key) === null) cache.set(key, value);
  return cache.get(key);
}
async function warm() { await null; cache.set('a', null); }
module.exports = Promise.all([get('a'), warm()]);`),
    twin: program(`
const cache = new Map();
const load = async (key) => { await turn(); return key; };
async function get(key) {
  if (cache.has(key)) return cache.get(key);
  const value = await load(key);
  cache.set(key, value);
  return value;
}
async function warm() { await null; cache.set('a', null); }
module.exports = Promise.all([get('a'), warm()]);`),
  },
  kept: {
    example: program(`
let jobs = ['a'];
const send = async (batch) => { await turn(); return batch.length; };
async function flush() {
  const batch = jobs.slice();
  await send(batch);
  jobs = jobs.filter((job) => !batch.includes(job));
}
async function add(job) { await null; jobs = [...jobs, job]; }
module.exports = Promise.all([flush(), add('b')]);`),
    twin: program(`
let jobs = ['a'];
const send = async (batch) => { await turn(); return batch.length; };
async function flush() {
  const batch = jobs.slice();
  await send(batch);
  jobs = batch.filter((job) => job !== 'a');
}
async function add(job) { await null; jobs = [...jobs, job]; }
module.exports = Promise.all([flush(), add('b')]);`),
  },
  reset: {
    example: program(`
const breaker = { failures: 0 };
async function call(fails) {
  if (++breaker.failures > 3) throw new Error('open');
  await turn();
  if (fails) return;
  breaker.failures = 0;
}
module.exports = Promise.all([call(false), call(true)]);`),
    twin: program(`
const lines = [];
async function send(some) { const all = [...some]; await turn(); return all; }
async function log(line) {
  lines.push(line);
  await send(lines);
  lines.length = 0;
}
async function remember(line) { lines.push(line); }
module.exports = Promise.all([log(1), remember(2)]);`),
  },
  eased: {
    example: program(`
const pool = { free: 1 };
async function take() {
  if (pool.free === 0) return undefined;
  await turn();
  return --pool.free;
}
async function give() { await null; return ++pool.free; }
module.exports = Promise.all([take(), give()]);`),
    twin: program(`
const pool = { free: 1 };
async function take() {
  if (pool.free === 0) return undefined;
  await turn();
  return --pool.free;
}
async function lend() { await null; return --pool.free; }
module.exports = Promise.all([take(), lend()]);`),
  },
};
