/*
 * Programs of which most is access to objects, arrays and Maps, each in another way: through methods, in nested loops, by keys that are
 * computed, to one object or to many.
 */
export const ACCESSES = [
  {
    name: 'accounts',
    unit: 'transfer',
    size: 300_000,
    program: `
class Account {
  constructor(id) { this.id = id; this.balance = 0; this.operations = 0; this.fees = 0; }
  deposit(amount) { this.balance += amount; this.operations++; }
  withdraw(amount) { if (this.balance < amount) { this.fees = this.fees + 1; return false; } this.balance -= amount; this.operations++; return true; }
  get total() { return this.balance - this.fees; }
}
class Bank {
  constructor(n) { this.accounts = []; for (let i = 0; i < n; i++) this.accounts.push(new Account(i)); this.failed = 0; }
  transfer(from, to, amount) { if (this.accounts[from].withdraw(amount)) this.accounts[to].deposit(amount); else this.failed++; }
}
module.exports = async function run(size) {
  const bank = new Bank(100);
  for (let i = 0; i < 100; i++) bank.accounts[i].deposit(1000);
  for (let i = 0; i < size; i++) bank.transfer(i % 100, (i * 7) % 100, i % 50);
  let total = 0;
  for (const account of bank.accounts) total += account.total;
  return total + bank.failed;
};`,
  },
  {
    name: 'particles',
    unit: 'pair',
    size: 200_000,
    program: `
function simulate(bodies, steps) {
  for (let s = 0; s < steps; s++) {
    for (let i = 0; i < bodies.length; i++) {
      const a = bodies[i];
      for (let j = 0; j < bodies.length; j++) {
        if (i === j) continue;
        const b = bodies[j];
        const dx = b.x - a.x, dy = b.y - a.y;
        const d = dx * dx + dy * dy + 0.01;
        a.vx += (dx / d) * b.mass; a.vy += (dy / d) * b.mass;
      }
    }
    for (const body of bodies) { body.x += body.vx * 0.01; body.y += body.vy * 0.01; }
  }
}
module.exports = async function run(size) {
  const bodies = [];
  for (let i = 0; i < 40; i++) bodies.push({ x: i % 7, y: i % 5, vx: 0, vy: 0, mass: 1 + (i % 3) });
  simulate(bodies, size / 1600);
  return bodies[0].x;
};`,
  },
  {
    name: 'dictionary',
    unit: 'word',
    size: 100_000,
    program: `
function count(words) { const counts = {}; for (const word of words) counts[word] = (counts[word] || 0) + 1; return counts; }
function index(words) { const index = {}; for (let i = 0; i < words.length; i++) { const word = words[i]; if (!(word in index)) index[word] = []; index[word].push(i); } return index; }
module.exports = async function run(size) {
  const words = [];
  let seed = 1;
  for (let i = 0; i < size; i++) { seed = (seed * 16807) % 2147483647; words.push('w' + (seed % 500)); }
  const counts = count(words);
  const places = index(words);
  const top = Object.keys(counts).sort((a, b) => counts[b] - counts[a] || (a < b ? -1 : 1)).slice(0, 10);
  return top.length + places[top[0]].length;
};`,
  },
  {
    name: 'image filter',
    unit: 'pixel',
    size: 250_000,
    program: `
class Image {
  constructor(width, height) { this.width = width; this.height = height; this.data = new Uint8ClampedArray(width * height * 4); }
  get(x, y) { return this.data[4 * (y * this.width + x)]; }
}
function blur(image) {
  const { width, height, data } = image;
  const out = new Image(width, height);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) sum += data[4 * ((y + dy) * width + x + dx)];
      const at = 4 * (y * width + x);
      out.data[at] = out.data[at + 1] = out.data[at + 2] = sum / 9;
      out.data[at + 3] = 255;
    }
  return out;
}
module.exports = async function run(size) {
  const n = Math.round(Math.sqrt(size));
  const image = new Image(n, n);
  for (let i = 0; i < image.data.length; i++) image.data[i] = (i * 7) % 256;
  const blurred = blur(image);
  let sum = 0;
  for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) sum += blurred.get(x, y);
  return sum;
};`,
  },
  {
    name: 'grid of life',
    unit: 'cell',
    size: 300_000,
    program: `
class Life {
  constructor(size) { this.size = size; this.cells = Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => (x * 3 + y * 7) % 5 === 0 ? 1 : 0)); this.generation = 0; }
  neighbours(x, y) { let n = 0; for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) { if (dx === 0 && dy === 0) continue; const row = this.cells[(y + dy + this.size) % this.size]; n += row[(x + dx + this.size) % this.size]; } return n; }
  step() { const next = this.cells.map((row, y) => row.map((cell, x) => { const n = this.neighbours(x, y); return n === 3 || (cell && n === 2) ? 1 : 0; })); this.cells = next; this.generation++; }
}
module.exports = async function run(size) {
  const life = new Life(50);
  for (let i = 0; i < size / 2500; i++) life.step();
  return life.cells.flat().reduce((a, b) => a + b, 0) + life.generation;
};`,
  },
  {
    name: 'counter',
    unit: 'step',
    size: 3_000_000,
    program: `
class Counter { constructor() { this.count = 0; this.total = 0; } add(n) { this.count++; this.total += n; } }
module.exports = async function run(size) { const c = new Counter(); for (let i = 0; i < size; i++) c.add(i); return c.total; };`,
  },
  {
    name: 'state of a module',
    unit: 'step',
    size: 3_000_000,
    program: `
const state = { count: 0, last: 0, max: 100 };
module.exports = async function run(size) { for (let i = 0; i < size; i++) { state.count += 1; if (state.last < state.max) state.last = i; } return state.count; };`,
  },
  {
    name: 'sorting by hand',
    unit: 'step',
    size: 1_000_000,
    program: `
function sort(a) { for (let i = 0; i < a.length; i++) for (let j = 0; j < a.length - i - 1; j++) if (a[j] > a[j + 1]) { const t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } return a; }
module.exports = async function run(size) { const n = Math.round(Math.sqrt(2 * size)); const a = []; for (let i = 0; i < n; i++) a.push((i * 7919) % n); return sort(a)[3]; };`,
  },
  {
    name: 'stack',
    unit: 'step',
    size: 1_000_000,
    program: `
class Stack { constructor() { this.items = []; } push(x) { this.items.push(x); } pop() { return this.items.pop(); } get size() { return this.items.length; } }
module.exports = async function run(size) { const s = new Stack(); let t = 0; for (let i = 0; i < size; i++) { s.push(i); if (s.size > 100) t += s.pop(); } return t; };`,
  },
  {
    name: 'Map of numbers',
    unit: 'step',
    size: 500_000,
    program: `
class Cache { constructor() { this.map = new Map(); } get(k) { if (!this.map.has(k)) this.map.set(k, k * 2); return this.map.get(k); } }
module.exports = async function run(size) { const c = new Cache(); let s = 0; for (let i = 0; i < size; i++) s += c.get(i % 1000); return s; };`,
  },
  {
    name: 'vectors with methods',
    unit: 'step',
    size: 500_000,
    program: `
class V { constructor(x, y) { this.x = x; this.y = y; } add(o) { return new V(this.x + o.x, this.y + o.y); } len() { return Math.sqrt(this.x * this.x + this.y * this.y); } }
module.exports = async function run(size) { let p = new V(0, 0); const d = new V(1, 2); let s = 0; for (let i = 0; i < size; i++) { p = p.add(d); s += p.len(); } return s; };`,
  },
];
