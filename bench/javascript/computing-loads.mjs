/*
 * Programs that compute, as tools and tests do: they parse, sort, build trees and format text, without waiting for anything.
 */
export const COMPUTING = [
  {
    name: 'parser',
    unit: 'character',
    size: 300_000,
    program: `
class Parser {
  constructor(text) { this.text = text; this.at = 0; }
  space() { while (this.at < this.text.length && this.text.charCodeAt(this.at) <= 32) this.at++; }
  value() {
    this.space();
    const c = this.text[this.at];
    if (c === '{') return this.object();
    if (c === '[') return this.array();
    if (c === '"') return this.string();
    return this.number();
  }
  object() {
    const result = {};
    this.at++;
    this.space();
    while (this.text[this.at] !== '}') {
      this.space();
      const key = this.string();
      this.space();
      this.at++;
      result[key] = this.value();
      this.space();
      if (this.text[this.at] === ',') this.at++;
    }
    this.at++;
    return result;
  }
  array() {
    const result = [];
    this.at++;
    this.space();
    while (this.text[this.at] !== ']') {
      result.push(this.value());
      this.space();
      if (this.text[this.at] === ',') this.at++;
    }
    this.at++;
    return result;
  }
  string() {
    const from = ++this.at;
    while (this.text[this.at] !== '"') this.at++;
    return this.text.slice(from, this.at++);
  }
  number() {
    const from = this.at;
    while (this.at < this.text.length && '0123456789.-+e'.includes(this.text[this.at])) this.at++;
    return Number(this.text.slice(from, this.at));
  }
}
module.exports = async function run(size) {
  const rows = [];
  for (let i = 0; i < size / 60; i++) rows.push({ id: i, name: 'name' + i, tags: ['a', 'b'], at: { x: i, y: 2 } });
  const text = JSON.stringify(rows);
  const parsed = new Parser(text).value();
  return parsed.length + parsed[10].at.x;
};`,
  },
  {
    name: 'tokenizer',
    unit: 'character',
    size: 300_000,
    program: `
class Token { constructor(kind, text, line) { this.kind = kind; this.text = text; this.line = line; } }
class Tokenizer {
  #source; #position = 0; line = 1;
  constructor(source) { this.#source = source; }
  #peek() { return this.#source[this.#position]; }
  #take(test) { let from = this.#position; while (this.#position < this.#source.length && test(this.#peek())) this.#position++; return this.#source.slice(from, this.#position); }
  next() {
    while (this.#peek() === ' ' || this.#peek() === '\\n') { if (this.#peek() === '\\n') this.line++; this.#position++; }
    const c = this.#peek();
    if (c === undefined) return null;
    if (c >= 'a' && c <= 'z') return new Token('name', this.#take((d) => d >= 'a' && d <= 'z'), this.line);
    if (c >= '0' && c <= '9') return new Token('number', this.#take((d) => d >= '0' && d <= '9'), this.line);
    this.#position++;
    return new Token('sign', c, this.line);
  }
}
module.exports = async function run(size) {
  const source = 'let total = price * 100 + tax;\\n'.repeat(size / 31);
  const tokenizer = new Tokenizer(source);
  const counts = { name: 0, number: 0, sign: 0 };
  for (let token = tokenizer.next(); token !== null; token = tokenizer.next()) counts[token.kind]++;
  return counts.name + tokenizer.line;
};`,
  },
  {
    name: 'tree of nodes',
    unit: 'insert',
    size: 30_000,
    program: `
class Node { constructor(key, value) { this.key = key; this.value = value; this.left = null; this.right = null; } }
class Tree {
  root = null; size = 0;
  insert(key, value) { this.root = this.#insert(this.root, key, value); }
  #insert(node, key, value) {
    if (node === null) { this.size++; return new Node(key, value); }
    if (key < node.key) node.left = this.#insert(node.left, key, value);
    else if (key > node.key) node.right = this.#insert(node.right, key, value);
    else node.value = value;
    return node;
  }
  *walk(node = this.root) { if (node !== null) { yield* this.walk(node.left); yield node.key; yield* this.walk(node.right); } }
  find(key) { let node = this.root; while (node !== null && node.key !== key) node = key < node.key ? node.left : node.right; return node?.value; }
}
module.exports = async function run(size) {
  const tree = new Tree();
  let seed = 1;
  for (let i = 0; i < size; i++) { seed = (seed * 16807) % 2147483647; tree.insert(seed % 10000, i); }
  let sum = 0;
  for (let i = 0; i < size; i++) sum += tree.find(i % 10000) ?? 0;
  return sum + tree.size;
};`,
  },
  {
    name: 'matrix',
    unit: 'step',
    size: 1_000_000,
    program: `
function make(n, f) { const rows = []; for (let i = 0; i < n; i++) { const row = []; for (let j = 0; j < n; j++) row.push(f(i, j)); rows.push(row); } return rows; }
function times(a, b) {
  const n = a.length;
  const result = make(n, () => 0);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) { let sum = 0; for (let k = 0; k < n; k++) sum += a[i][k] * b[k][j]; result[i][j] = sum; }
  return result;
}
module.exports = async function run(size) {
  const n = Math.round(Math.cbrt(size));
  const a = make(n, (i, j) => i + j), b = make(n, (i, j) => i - j);
  return times(a, b)[1][1];
};`,
  },
  {
    name: 'grouping',
    unit: 'row',
    size: 50_000,
    program: `
function group(rows) {
  const byCity = new Map();
  for (const row of rows) {
    let entry = byCity.get(row.city);
    if (entry === undefined) { entry = { city: row.city, count: 0, total: 0, names: [] }; byCity.set(row.city, entry); }
    entry.count++;
    entry.total += row.amount;
    if (entry.names.length < 5) entry.names.push(row.name);
  }
  return [...byCity.values()].sort((a, b) => b.total - a.total);
}
module.exports = async function run(size) {
  const rows = Array.from({ length: size }, (_, i) => ({ name: 'n' + i, city: 'c' + (i % 97), amount: (i * 7919) % 1000 }));
  const groups = group(rows.filter((row) => row.amount > 10).map((row) => ({ ...row, amount: row.amount * 2 })));
  return groups[0].total;
};`,
  },
  {
    name: 'building of strings',
    unit: 'line',
    size: 50_000,
    program: `
class Writer {
  constructor() { this.lines = []; this.depth = 0; }
  line(text) { this.lines.push('  '.repeat(this.depth) + text); return this; }
  block(head, body) { this.line(head + ' {'); this.depth++; body(); this.depth--; return this.line('}'); }
  toString() { return this.lines.join('\\n'); }
}
module.exports = async function run(size) {
  const writer = new Writer();
  for (let i = 0; i < size / 4; i++) writer.block('function f' + i + '(a, b)', () => { writer.line('const c = a + b;'); writer.line('return c * ' + i + ';'); });
  let text = '';
  for (const line of writer.lines) text += line + '\\n';
  return text.length + writer.toString().length;
};`,
  },
  {
    name: 'LRU cache',
    unit: 'operation',
    size: 100_000,
    program: `
class Cache {
  constructor(limit) { this.limit = limit; this.map = new Map(); this.head = { key: null, value: null, next: null, before: null }; this.head.next = this.head; this.head.before = this.head; this.hits = 0; }
  #unlink(entry) { entry.before.next = entry.next; entry.next.before = entry.before; }
  #front(entry) { entry.next = this.head.next; entry.before = this.head; this.head.next.before = entry; this.head.next = entry; }
  get(key) { const entry = this.map.get(key); if (entry === undefined) return undefined; this.hits++; this.#unlink(entry); this.#front(entry); return entry.value; }
  set(key, value) {
    let entry = this.map.get(key);
    if (entry !== undefined) { entry.value = value; this.#unlink(entry); this.#front(entry); return; }
    if (this.map.size >= this.limit) { const last = this.head.before; this.#unlink(last); this.map.delete(last.key); }
    entry = { key, value, next: null, before: null };
    this.map.set(key, entry);
    this.#front(entry);
  }
}
module.exports = async function run(size) {
  const cache = new Cache(500);
  let seed = 1;
  for (let i = 0; i < size / 2; i++) {
    seed = (seed * 16807) % 2147483647;
    const key = 'k' + (seed % 700);
    if (cache.get(key) === undefined) cache.set(key, i);
  }
  return cache.hits;
};`,
  },
  {
    name: 'events',
    unit: 'event',
    size: 100_000,
    program: `
const { EventEmitter } = require('node:events');
class Bus {
  constructor() { this.listeners = {}; }
  on(name, f) { (this.listeners[name] ??= []).push(f); }
  emit(name, event) { const list = this.listeners[name]; if (list) for (const f of list) f(event); }
}
module.exports = async function run(size) {
  const bus = new Bus();
  const emitter = new EventEmitter();
  let total = 0;
  const seen = { add: 0, remove: 0 };
  bus.on('add', (event) => { seen.add++; total += event.amount; });
  bus.on('add', (event) => { if (event.amount > 50) emitter.emit('large', event); });
  bus.on('remove', (event) => { seen.remove++; total -= event.amount; });
  emitter.on('large', (event) => { event.isLarge = true; });
  for (let i = 0; i < size; i++) bus.emit(i % 3 ? 'add' : 'remove', { id: i, amount: i % 100 });
  return total + seen.add;
};`,
  },
  {
    name: 'generators',
    unit: 'item',
    size: 100_000,
    program: `
function* numbers(n) { for (let i = 0; i < n; i++) yield { id: i, weight: i % 10 }; }
function* filter(items, test) { for (const item of items) if (test(item)) yield item; }
function* map(items, f) { for (const item of items) yield f(item); }
function* take(items, n) { let i = 0; for (const item of items) { if (i++ >= n) return; yield item; } }
module.exports = async function run(size) {
  let sum = 0;
  for (const { id, weight } of take(map(filter(numbers(size), (item) => item.weight > 3), (item) => ({ ...item, weight: item.weight * 2 })), size)) sum += id * weight;
  return sum;
};`,
  },
  {
    name: 'priority queue',
    unit: 'operation',
    size: 50_000,
    program: `
class Heap {
  #items = []; #less;
  constructor(less) { this.#less = less; }
  get size() { return this.#items.length; }
  push(item) {
    const items = this.#items;
    items.push(item);
    let i = items.length - 1;
    while (i > 0) { const up = (i - 1) >> 1; if (!this.#less(items[i], items[up])) break; [items[i], items[up]] = [items[up], items[i]]; i = up; }
  }
  pop() {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0) return top;
    items[0] = last;
    for (let i = 0; ;) {
      let least = i;
      for (const j of [2 * i + 1, 2 * i + 2]) if (j < items.length && this.#less(items[j], items[least])) least = j;
      if (least === i) return top;
      [items[i], items[least]] = [items[least], items[i]];
      i = least;
    }
  }
}
module.exports = async function run(size) {
  const heap = new Heap((a, b) => a.at < b.at);
  let seed = 1, sum = 0;
  for (let i = 0; i < size / 2; i++) { seed = (seed * 16807) % 2147483647; heap.push({ at: seed, id: i }); if (heap.size > 1000) sum += heap.pop().id; }
  while (heap.size > 0) sum += heap.pop().id;
  return sum;
};`,
  },
  {
    name: 'immutable updates',
    unit: 'action',
    size: 50_000,
    program: `
const initial = { user: { name: 'a', visits: 0 }, items: [], totals: { count: 0, price: 0 } };
function reduce(state, action) {
  switch (action.type) {
    case 'visit': return { ...state, user: { ...state.user, visits: state.user.visits + 1 } };
    case 'add': return { ...state, items: [...state.items.slice(-9), action.item], totals: { ...state.totals, count: state.totals.count + 1, price: state.totals.price + action.item.price } };
    case 'rename': return { ...state, items: state.items.map((item) => (item.id === action.id ? { ...item, name: action.name } : item)) };
    default: return state;
  }
}
module.exports = async function run(size) {
  let state = initial;
  for (let i = 0; i < size; i++) state = reduce(state, i % 3 === 0 ? { type: 'visit' } : i % 3 === 1 ? { type: 'add', item: { id: i, name: 'n', price: i % 7 } } : { type: 'rename', id: i - 1, name: 'm' });
  return state.totals.price;
};`,
  },
  {
    name: 'typed arrays and vectors',
    unit: 'step',
    size: 500_000,
    program: `
class Sieve { constructor(n) { this.flags = new Uint8Array(n); this.count = 0; }
  run() { const { flags } = this; for (let i = 2; i < flags.length; i++) { if (flags[i]) continue; this.count++; for (let j = 2 * i; j < flags.length; j += i) flags[j] = 1; } return this.count; } }
function fibonacci(n) { let a = 0n, b = 1n; for (let i = 0; i < n; i++) [a, b] = [b, a + b]; return a; }
class Vec { constructor(x, y) { this.x = x; this.y = y; } plus(o) { return new Vec(this.x + o.x, this.y + o.y); } times(f) { return new Vec(this.x * f, this.y * f); } }
module.exports = async function run(size) {
  const primes = new Sieve(size / 4).run();
  const digits = String(fibonacci(2000)).length;
  const bodies = Array.from({ length: 50 }, (_, i) => ({ at: new Vec(i, -i), speed: new Vec(0, 0) }));
  for (let step = 0; step < size / 5000; step++) for (const body of bodies) { body.speed = body.speed.plus(body.at.times(-0.001)); body.at = body.at.plus(body.speed); }
  return primes + digits + Math.round(bodies[3].at.x);
};`,
  },
];
