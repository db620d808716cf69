/*
 * For each rule a small program in which it decides, and the nearest one in which it must not. They are its tests
 * (test/node/judgement/rules.test.ts runs them all), and `trackside run --explain-rules` shows the first.
 */

export interface RuleExample {
  /** A program in which the rule decides. */
  example: string;
  /** The nearest one in which it must not. */
  twin: string;
}

const TURN = 'const turn = () => new Promise((resolve) => setImmediate(resolve));';

function program(text: string): string {
  return `${TURN}\n${text.trim()}\n`;
}

const STALE = program(`
const account = { balance: 100 };
async function withdraw(amount) {
  const { balance } = account;
  await turn();
  account.balance = balance - amount;
}
module.exports = Promise.all([withdraw(10), withdraw(20)]);`);

const SAFE = program(`
const account = { balance: 100 };
async function withdraw(amount) {
  await turn();
  const { balance } = account;
  account.balance = balance - amount;
}
module.exports = Promise.all([withdraw(10), withdraw(20)]);`);

export const EXAMPLES: Readonly<Record<string, RuleExample>> = {
  'own-variable': {
    example: program(`
const { EventEmitter, once } = require('node:events');
async function wait(bus) {
  let status = 'open';
  bus.on('data', () => { status = 'reading'; });
  await once(bus, 'end');
  return status;
}
const bus = new EventEmitter();
setImmediate(() => { bus.emit('data'); bus.emit('end'); });
module.exports = wait(bus);`),
    twin: program(`
const { EventEmitter, once } = require('node:events');
let status;
async function wait(bus, name) {
  status = name;
  await once(bus, 'end');
  return status;
}
const bus = new EventEmitter();
setImmediate(() => { bus.emit('end'); });
module.exports = Promise.all([wait(bus, 'a'), wait(bus, 'b')]);`),
  },
  watched: {
    example: program(`
const cell = new Int32Array(new SharedArrayBuffer(4));
async function wait() { while (Atomics.load(cell, 0) === 0) await turn(); }
async function go() { await turn(); Atomics.store(cell, 0, 1); }
module.exports = Promise.all([wait(), go()]);`),
    twin: program(`
const state = { ready: 0 };
async function wait() { while (state.ready === 0) await turn(); }
async function go() { await turn(); state.ready = 1; }
module.exports = Promise.all([wait(), go()]);`),
  },
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
  'removed-unseen': {
    example: program(`
const queue = ['a'];
const send = async (items) => { await turn(); return items; };
async function flush() { await send(queue.slice()); queue.length = 0; }
async function track(event) { await null; queue.push(event); }
module.exports = Promise.all([flush(), track('b')]);`),
    twin: program(`
let queue = ['a'];
const send = async (items) => { await turn(); return items; };
async function flush() { const items = queue; queue = []; await send(items); }
async function track(event) { await null; queue.push(event); }
module.exports = Promise.all([flush(), track('b')]);`),
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
  merged: {
    example: program(`
class Store {
  state = { count: 0, name: 'x' };
  async find() {
    const { name } = this.state;
    const found = await turn().then(() => name.toUpperCase());
    this.state = { ...this.state, found };
  }
  async add() { await null; this.state = { ...this.state, count: this.state.count + 1 }; }
}
const store = new Store();
module.exports = Promise.all([store.find(), store.add()]);`),
    twin: program(`
class Store {
  state = { count: 0, name: 'x' };
  async add() {
    const { count } = this.state;
    await turn();
    this.state = { ...this.state, count: count + 1 };
  }
}
const store = new Store();
module.exports = Promise.all([store.add(), store.add()]);`),
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
    twin: STALE,
  },
  'duplicate-work': {
    example: program(`
const cache = new Map();
const load = async (key) => { await turn(); return { key }; };
async function get(key) {
  if (!cache.has(key)) cache.set(key, await load(key));
  return cache.get(key);
}
module.exports = Promise.all([get('a'), get('a')]);`),
    twin: program(`
const cache = new Map();
const load = async (key) => { await turn(); return { key }; };
async function get(key) {
  if (!cache.has(key)) cache.set(key, load(key));
  return cache.get(key);
}
module.exports = Promise.all([get('a'), get('a')]);`),
  },
  'left-behind': {
    example: program(`
const entries = new Map([['a', { isOld: true }]]);
async function remove(key) { await turn(); entries.delete(key); }
async function read(key) {
  const entry = entries.get(key);
  if (entry.isOld) { remove(key); return undefined; }
  return entry;
}
async function main() { await read('a'); entries.set('a', { isOld: false }); await turn(); }
module.exports = main();`),
    twin: program(`
const entries = new Map([['a', { isOld: true }]]);
async function remove(key) { await turn(); entries.delete(key); }
async function read(key) {
  const entry = entries.get(key);
  if (entry.isOld) { await remove(key); return undefined; }
  return entry;
}
async function main() { await read('a'); entries.set('a', { isOld: false }); await turn(); }
module.exports = main();`),
  },
  'stale-act': { example: STALE, twin: SAFE },
  'built-upon': {
    example: program(`
let line = 'start';
async function append(word) {
  line = line + ' ' + word;
  await turn();
  return line.length;
}
module.exports = Promise.all([append('a'), append('b')]);`),
    twin: program(`
let current;
async function handle(user) {
  current = user;
  await turn();
  return current.length;
}
module.exports = Promise.all([handle('ann'), handle('bob')]);`),
  },
  signal: {
    example: program(`
const poller = { running: false };
async function start() {
  poller.running = true;
  while (poller.running) await turn();
}
async function stop() { await turn(); poller.running = false; }
module.exports = Promise.all([start(), stop()]);`),
    twin: program(`
const session = { user: null };
async function handle(user) {
  session.user = user;
  await turn();
  return session.user.length;
}
module.exports = Promise.all([handle('ann'), handle('bob')]);`),
  },
  'checked-on-return': {
    example: program(`
const search = { latest: 0, shown: null };
let calls = 0;
async function find(text) {
  const mine = ++calls;
  search.latest = mine;
  await turn();
  if (search.latest === mine) search.shown = text;
}
module.exports = Promise.all([find('a'), find('ab')]);`),
    twin: program(`
const search = { latest: null, shown: null };
async function find(text) {
  search.latest = text;
  await turn();
  search.shown = search.latest.length;
}
module.exports = Promise.all([find('a'), find('ab')]);`),
  },
  overwritten: {
    example: program(`
let user;
const audit = [];
async function handle(name) {
  user = name;
  await turn();
  audit.push(user);
}
module.exports = Promise.all([handle('ann'), handle('bob')]);`),
    twin: program(`
const audit = [];
async function handle(name) {
  const user = name;
  await turn();
  audit.push(user);
}
module.exports = Promise.all([handle('ann'), handle('bob')]);`),
  },
  'mixed-reads': {
    example: program(`
const shop = { price: 10 };
async function charge() {
  const shown = shop.price;
  await turn();
  return shop.price >= shown ? shop.price : shown;
}
async function raise() { await null; shop.price = 12; }
module.exports = Promise.all([charge(), raise()]);`),
    twin: program(`
const shop = { price: 10 };
async function watch() {
  const before = shop.price;
  await turn();
  return shop.price !== before ? 'changed' : 'same';
}
async function raise() { await null; shop.price = 12; }
module.exports = Promise.all([watch(), raise()]);`),
  },
  'read-again': {
    example: program(`
const queue = { length: 0 };
async function watch() {
  const lines = [];
  for (let i = 0; i < 2; i++) { lines.push(queue.length); await turn(); }
  return lines;
}
async function add() { await null; queue.length = 1; }
module.exports = Promise.all([watch(), add()]);`),
    twin: program(`
const shop = { price: 10 };
async function charge() {
  const shown = shop.price;
  await turn();
  return shop.price >= shown ? shop.price : shown;
}
async function raise() { await null; shop.price = 12; }
module.exports = Promise.all([charge(), raise()]);`),
  },
  'torn-write': {
    example: program(`
const { readFileSync, promises } = require('node:fs');
const path = require('node:path').join(require('node:os').tmpdir(), 'trackside-torn-' + process.pid);
async function save() { await promises.writeFile(path, '[1]'); }
async function load() { readFileSync(path, 'utf8'); }
module.exports = promises.writeFile(path, '[]').then(() => Promise.all([save(), load()]));`),
    twin: program(`
const { readFileSync, promises } = require('node:fs');
const path = require('node:path').join(require('node:os').tmpdir(), 'trackside-torn-' + process.pid);
async function save() { await promises.writeFile(path + '.new', '[1]'); await promises.rename(path + '.new', path); }
async function load() { readFileSync(path, 'utf8'); }
module.exports = promises.writeFile(path, '[]').then(() => Promise.all([save(), load()]));`),
  },
  'torn-content': {
    example: program(`
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path').join(require('node:os').tmpdir(), 'trackside-example-' + process.pid);
async function save() { writeFileSync(path, '[1'); await turn(); writeFileSync(path, '[1]'); }
async function load() { await null; return readFileSync(path, 'utf8'); }
module.exports = Promise.all([save(), load()]);`),
    twin: program(`
const page = { text: '' };
async function save() { page.text = 'half'; await turn(); page.text = 'whole'; }
async function load() { await null; return page.text; }
module.exports = Promise.all([save(), load()]);`),
  },
  'seen-between': {
    example: program(`
const sync = { busy: false };
async function run() {
  if (sync.busy) return;
  sync.busy = true;
  await turn();
  sync.busy = false;
}
module.exports = Promise.all([run(), run()]);`),
    twin: STALE,
  },
  'overwritten-twice': {
    example: program(`
const view = { state: '' };
async function load(id) {
  view.state = 'loading ' + id;
  await turn();
  view.state = 'done ' + id;
}
module.exports = Promise.all([load(1), load(2)]);`),
    twin: STALE,
  },
  'stale-elsewhere': {
    example: program(`
const seats = new Set(['1a', '1b']);
async function book() {
  const [seat] = seats;
  await turn();
  seats.delete(seat);
  return seat;
}
module.exports = Promise.all([book(), book()]);`),
    twin: program(`
const seats = new Set(['1a', '1b']);
async function book() {
  await turn();
  const [seat] = seats;
  seats.delete(seat);
  return seat;
}
module.exports = Promise.all([book(), book()]);`),
  },
  'several-variables': {
    example: program(`
const a = { n: 0 };
const b = { n: 0 };
async function look() { const first = a.n; await turn(); return [first, b.n]; }
async function change() { await null; a.n = 1; b.n = 1; }
module.exports = Promise.all([look(), change()]);`),
    twin: STALE,
  },
};
