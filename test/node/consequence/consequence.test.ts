import { expect, it } from 'vitest';
import { record } from '../runtime/support.ts';

const { setImmediate: later } = globalThis;
const world = { turn: () => new Promise((resolve) => later(resolve)) };

/** What is said about a program. */
async function said(program: string): Promise<string[]> {
  const { judged } = await record(program, world);
  return judged.map(({ label, around, pattern, severity, consequence }) => {
    const outer = around.length === 0 ? '' : ` in ${around.join(' in ')}`;
    return `${severity}: ${label}${outer}: ${consequence ?? pattern}`;
  });
}

it('calls a deposit that is overwritten a lost update', async () => {
  const program = `
    const account = { balance: 0 };
    async function deposit(n) { const old = account.balance; await turn(); account.balance = old + n; }
    module.exports = Promise.all([deposit(1), deposit(2)]);
  `;
  expect(await said(program)).toEqual(['error: deposit: lost-update']);
});

it('calls a cache that is filled twice duplicate work', async () => {
  const program = `
    const cache = new Map();
    async function get(key) { if (!cache.has(key)) { await turn(); cache.set(key, 1); } }
    module.exports = Promise.all([get('a'), get('a')]);
  `;
  expect(await said(program)).toEqual(['error: get: duplicate-work']);
});

it('and so a connection that is opened twice', async () => {
  const program = `
    const client = { connection: null };
    async function connect() { if (!client.connection) { await turn(); client.connection = {}; } }
    module.exports = Promise.all([connect(), connect()]);
  `;
  expect(await said(program)).toEqual(['error: connect: duplicate-work']);
});

it('warns where the block looks again before it writes', async () => {
  const program = `
    const account = { deposits: [] };
    async function deposit(n) { const old = account.deposits; await turn(); account.deposits = [...account.deposits, n]; }
    module.exports = Promise.all([deposit(1), deposit(2)]);
  `;
  expect(await said(program)).toEqual(['warning: deposit: unrepeatable-read']);
});

it('but not where a decrement follows a check that is no longer true', async () => {
  const program = `
    let stock = 1;
    async function buy() { if (stock > 0) { await turn(); stock--; } }
    module.exports = Promise.all([buy(), buy()]);
  `;
  expect(await said(program)).toEqual(['error: buy: lost-update']);
});

it('says nothing of counters', async () => {
  const program = `
    const gauge = { active: 0 };
    async function work() { gauge.active++; await turn(); gauge.active--; }
    module.exports = Promise.all([work(), work()]);
  `;
  expect(await said(program)).toEqual([]);
});

it('warns of a limit that is checked and taken in one step', async () => {
  const program = `
    let active = 0;
    async function work() { while (active >= 2) await turn(); active++; await turn(); active--; }
    module.exports = Promise.all([work(), work(), work()]);
  `;
  expect(new Set(await said(program))).toEqual(
    new Set(['warning: work: intermediate-value-seen', 'warning: work: unrepeatable-read']),
  );
});

it('warns of a guard flag at most', async () => {
  const program = `
    let busy = false;
    async function flush() { if (busy) return; busy = true; await turn(); busy = false; }
    module.exports = Promise.all([flush(), flush()]);
  `;
  expect(await said(program)).toEqual(['warning: flush: intermediate-value-seen']);
});

it('warns where others add to what the block has written', async () => {
  const program = `
    const state = { jobs: [] };
    async function worker() { state.jobs = state.jobs.concat(1); await turn(); return state.jobs; }
    module.exports = Promise.all([worker(), worker()]);
  `;
  expect(await said(program)).toEqual(['warning: worker: built-upon']);
});

it('blames the innermost block and names those around it', async () => {
  const program = `
    const account = { balance: 0 };
    async function add(n) { const old = account.balance; await turn(); account.balance = old + n; }
    async function request(n) { await add(n); }
    module.exports = Promise.all([request(1), request(2)]);
  `;
  expect(await said(program)).toEqual(['error: add in request: lost-update']);
});

it('blames a block whose calls are atomic one by one', async () => {
  const program = `
    const seats = new Map([['1A', null]]);
    async function isFree(seat) { await turn(); return seats.get(seat) === null; }
    async function take(seat, who) { await turn(); seats.set(seat, who); }
    async function book(seat, who) { if (await isFree(seat)) await take(seat, who); }
    module.exports = Promise.all([book('1A', 'ann'), book('1A', 'bob')]);
  `;
  expect(await said(program)).toEqual(['error: book: lost-update']);
});

it('says nothing of a block and the tasks it waits for', async () => {
  const program = `
    const totals = { sum: 0 };
    async function add(n) { await turn(); totals.sum += n; }
    async function all() { totals.sum = 0; await Promise.all([add(1), add(2)]); return totals.sum; }
    module.exports = all();
  `;
  expect(await said(program)).toEqual([]);
});

it('warns where a task adds itself to a queue and looks whether it is the first, at once', async () => {
  const program = `
    const waiting = [];
    async function work() {
      waiting.push({});
      if (waiting.length > 1) await turn();
      await turn();
      waiting.shift();
    }
    module.exports = Promise.all([work(), work(), work()]);
  `;
  for (const line of await said(program)) expect(line).toMatch(/^warning/);
});

it('warns where a buffer is filled and used at once, again and again', async () => {
  const program = `
    const scratch = { sum: 0 };
    async function send(n) {
      for (let i = 0; i < 2; i++) { scratch.sum = n + i; if (scratch.sum < 0) throw new Error(); await turn(); }
    }
    module.exports = Promise.all([send(1), send(2)]);
  `;
  for (const line of await said(program)) expect(line).toMatch(/^warning/);
});

it('warns where the other task goes by what the block has written elsewhere: a list in two variables', async () => {
  const program = `
    const list = { last: null }, next = new Map();
    async function append(node) {
      const before = list.last;
      next.set(before, node);
      next.set(node, null);
      list.last = node;
      await turn();
      return next.get(node);
    }
    module.exports = Promise.all([append(1), append(2), append(3)]);
  `;
  for (const line of await said(program)) expect(line).toMatch(/^warning/);
});

it('warns where what the block read cannot have reached the task that wrote', async () => {
  const program = `
    const queue = { current: 'a' };
    async function drain() { await turn(); await turn(); queue.current = 'c'; }
    async function ready() { const drained = drain(); const first = queue.current; await drained; return first; }
    async function skip() { await turn(); queue.current = 'b'; }
    module.exports = Promise.all([ready(), skip()]);
  `;
  expect(await said(program)).toEqual(['warning: ready: lost-update']);
});

it('but not where that task was started afterwards', async () => {
  const program = `
    const queue = { current: 'a' };
    async function drain(next) { await turn(); await turn(); queue.current = next; }
    async function ready() { const first = queue.current; const drained = drain(first + 1); await drained; }
    async function skip() { await turn(); queue.current = 'b'; }
    module.exports = Promise.all([ready(), skip()]);
  `;
  expect(await said(program)).toEqual(['error: ready: lost-update']);
});

it('nor where it has waited for the one that read', async () => {
  const program = `
    const queue = { current: 'a' };
    async function look() { const seen = queue.current; await turn(); return seen; }
    async function drain(looked) { const seen = await looked; await turn(); await turn(); queue.current = seen + 1; }
    async function ready() { const looked = look(); const drained = drain(looked); await drained; }
    async function skip() { await turn(); await turn(); queue.current = 'b'; }
    module.exports = Promise.all([ready(), skip()]);
  `;
  expect(await said(program)).toEqual(['error: ready: lost-update']);
});

it('warns where a task goes by what the one that started it has just seen', async () => {
  const program = `
    const store = { writer: null };
    async function write() { store.writer = {}; await turn(); store.writer = null; }
    function visit() { if (store.writer === null) void write(); }
    async function once() { visit(); }
    async function twice() { visit(); await turn(); await turn(); visit(); }
    module.exports = Promise.all([once(), twice()]);
  `;
  expect((await said(program)).filter((line) => line.startsWith('error'))).toEqual([]);
});
