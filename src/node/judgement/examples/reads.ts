import { program, type RuleExample, STALE } from './program.ts';

/** What was read back or read again, with nothing done by what was read first. */
export const READS: Readonly<Record<string, RuleExample>> = {
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
  'left-empty': {
    example: program(`
const slot = { value: 'first' };
const seen = [];
async function look() { await turn(); await turn(); seen.push(slot.value); }
const empty = () => { slot.value = null; look(); };
const fill = () => { slot.value = 'second'; };
setImmediate(empty);
setImmediate(fill);
module.exports = turn().then(turn).then(turn).then(turn);`),
    twin: program(`
const slot = { value: 'first' };
const seen = [];
async function look() { await turn(); await turn(); seen.push(slot.value); }
const empty = () => { slot.value = 'own'; look(); };
const fill = () => { slot.value = 'second'; };
setImmediate(empty);
setImmediate(fill);
module.exports = turn().then(turn).then(turn).then(turn);`),
  },
  'found-anew': {
    example: program(`
const dirty = new Map([['a', 1]]);
const disk = new Map();
async function drain() {
  while (dirty.size > 0) {
    const [key, value] = dirty.entries().next().value;
    dirty.delete(key);
    await turn();
    disk.set(key, value);
  }
}
async function put(key, value) { await null; dirty.set(key, value); }
module.exports = Promise.all([drain(), put('a', 2)]);`),
    twin: program(`
const dirty = new Map();
const disk = new Map();
async function store(key, value) {
  dirty.set(key, value);
  await turn();
  disk.set(key, dirty.get(key));
}
module.exports = Promise.all([store('a', 1), store('a', 2)]);`),
  },
  told: {
    example: program(`
const syncer = { value: 0, running: false, again: false };
const remote = [];
async function change(value) {
  syncer.value = value;
  await sync();
}
async function sync() {
  if (syncer.running) { syncer.again = true; return; }
  syncer.running = true;
  do {
    syncer.again = false;
    const current = syncer.value;
    await turn();
    remote.push(current);
  } while (syncer.again);
  syncer.running = false;
}
module.exports = Promise.all([change(1), change(2)]);`),
    twin: program(`
const context = { user: null };
const log = [];
async function handle(user, steps) {
  context.user = user;
  await run(steps);
}
async function run(steps) {
  for (let i = 0; i < steps; i++) {
    const current = context.user;
    await turn();
    log.push(current);
  }
}
module.exports = Promise.all([handle('ann', 2), handle('bob', 1)]);`),
  },
  'own-state': {
    example: program(`
function gate(list) {
  let state = 'open';
  setImmediate(() => setImmediate(() => list.push(state)));
  return { set: (next) => { state = next; } };
}
async function close() {
  const own = gate([]);
  await turn();
  own.set('closed');
  await turn();
}
module.exports = close();`),
    twin: program(`
let state;
function gate(list, first) {
  state = first;
  setImmediate(() => setImmediate(() => list.push(state)));
}
async function close() {
  gate([], 'open');
  await turn();
  state = 'closed';
  await turn();
}
module.exports = close();`),
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
  'perhaps-overwritten': {
    isOfPackage: true,
    example: program(`
const state = { user: '' };
const audit = [];
const tell = () => { audit.push(state.user); };
async function handle(name) {
  state.user = name;
  await turn();
  tell();
}
module.exports = Promise.all([handle('ann'), handle('bob')]);`),
    twin: program(`
const state = { user: '' };
const audit = [];
async function handle(name) {
  state.user = name;
  await turn();
  audit.push(state.user);
}
module.exports = Promise.all([handle('ann'), handle('bob')]);`),
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
const sold = { at: 0 };
async function charge() {
  const shown = shop.price;
  await turn();
  sold.at = shown;
  return shop.price;
}
async function raise() { await null; shop.price = 12; sold.at = 0; }
module.exports = Promise.all([charge(), raise()]);`),
  },
  'torn-snapshot': {
    example: program(`
const range = new Int32Array(new SharedArrayBuffer(8));
let isEmpty;
async function look() { const low = range[0]; await turn(); isEmpty = low > range[1]; }
async function move() { await null; range[0] = 5; range[1] = 9; }
module.exports = Promise.all([look(), move()]);`),
    twin: program(`
const range = new Int32Array(new SharedArrayBuffer(8));
async function look() { const low = range[0]; await turn(); return [low, range[1]]; }
async function move() { await null; range[0] = 5; range[1] = 9; }
module.exports = Promise.all([look(), move()]);`),
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
