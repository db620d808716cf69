import { program, type RuleExample, SAFE, STALE } from './program.ts';

/** Acts upon what is no longer so. */
export const STALE_ACTS: Readonly<Record<string, RuleExample>> = {
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
  'perhaps-stale': {
    isOfPackage: true,
    example: program(`
const state = { count: 0 };
const plugins = { save(count) { state.count = count; } };
async function add(name) {
  const { count } = state;
  await turn();
  plugins[name](count + 1);
}
module.exports = Promise.all([add('save'), add('save')]);`),
    twin: program(`
const state = { count: 0 };
function save(count) { state.count = count; }
async function add() {
  const { count } = state;
  await turn();
  save(count + 1);
}
module.exports = Promise.all([add(), add()]);`),
  },
  'made-anew': {
    isOfPackage: true,
    example: program(`
class Registry {}
const state = { registry: null };
async function registry() {
  if (state.registry === null) { await turn(); state.registry = new Registry(); }
  return state.registry;
}
module.exports = Promise.all([registry(), registry()]);`),
    twin: program(`
class Registry { constructor(options) { this.options = options; } }
const state = { registry: null };
const load = async () => { await turn(); return { size: 1 }; };
async function registry() {
  if (state.registry === null) { const options = await load(); state.registry = new Registry(options); }
  return state.registry;
}
module.exports = Promise.all([registry(), registry()]);`),
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
  'stale-act': { example: STALE, twin: SAFE },
  'set-again': {
    example: program(`
const line = { open: true, sent: 0 };
const steps = [(done) => { if (line.open) line.sent++; setImmediate(done); }];
function hangUp() {
  return new Promise((resolve) => { steps[0](() => { line.open = false; resolve(); }); });
}
async function use() { await hangUp(); }
async function lose() { await null; line.open = false; }
module.exports = Promise.all([use(), lose()]);`),
    twin: program(`
const seat = { free: true };
async function book() {
  if (!seat.free) return;
  await turn();
  seat.free = false;
}
module.exports = Promise.all([book(), book()]);`),
  },
  'used-elsewhere': {
    example: program(`
const post = { tag: 'old' };
const byTag = new Map([['old', 1]]);
async function retag(tag) {
  const { tag: before } = post;
  await turn();
  byTag.delete(before);
  byTag.set(tag, 1);
  post.tag = tag;
}
module.exports = Promise.all([retag('a'), retag('b')]);`),
    twin: program(`
const post = { tag: 'old' };
const byTag = new Map([['old', 1]]);
async function retag(tag) {
  await turn();
  byTag.delete(post.tag);
  byTag.set(tag, 1);
  post.tag = tag;
}
module.exports = Promise.all([retag('a'), retag('b')]);`),
  },
  'stale-elsewhere': {
    example: program(`
const seats = new Set(Array.from({ length: 40 }, (_, row) => \`\${row}a\`));
async function book() {
  const [seat] = [...seats];
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
};
