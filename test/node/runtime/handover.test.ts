import { describe, expect, it } from 'vitest';
import { record } from './support.ts';

const world = { turn: () => new Promise((resolve) => setImmediate(resolve)) };

/** Blocks with errors, and the variables these are about: `buy: stock`. */
async function errors(program: string): Promise<string[]> {
  const { judged } = await record(program, world);
  const found = judged.filter(({ severity }) => severity === 'error');
  return [...new Set(found.map(({ label, variable }) => `${label}: ${variable?.replace(/ \(.*\)$/, '')}`))];
}

/** Tasks one after the other, each of which takes longer than a turn. */
const MUTEX = `
  let busy = false;
  const waiting = [];
  async function enter() {
    if (busy) await new Promise((resolve) => waiting.push(resolve));
    else busy = true;
  }
  function leave() {
    const next = waiting.shift();
    if (next) next();
    else busy = false;
  }
`;

describe('whoever is woken goes on with what was left to it', () => {
  it('a place that stays counted', async () => {
    const program = `
      let active = 0;
      const waiting = [];
      const release = () => { const next = waiting.shift(); if (next) next(); else active--; };
      async function limited(turns) {
        if (active < 2) active++;
        else await new Promise((resolve) => waiting.push(resolve));
        for (let i = 0; i < turns; i++) await turn();
        release();
      }
      module.exports = Promise.all([1, 2, 4, 3, 6].map((turns) => limited(turns)));
    `;
    expect(await errors(program)).toEqual([]);
  });

  it('a place that a callback of its own has looked for in vain', async () => {
    const program = `
      let free = 2;
      const waiting = [];
      const next = () => { if (free > 0 && waiting.length > 0) { free--; waiting.shift()(); } };
      const place = () => new Promise((resolve) => { waiting.push(resolve); process.nextTick(next); });
      async function limited(turns) {
        await place();
        for (let i = 0; i < turns; i++) await turn();
        free++;
        next();
      }
      module.exports = Promise.all([1, 2, 4, 3, 6].map((turns) => limited(turns)));
    `;
    expect(await errors(program)).toEqual([]);
  });

  it('a place that is counted free, and taken again in its name', async () => {
    const program = `
      let free = 2;
      const waiting = [];
      const release = () => { free++; const next = waiting.shift(); if (next) { free--; next(); } };
      async function limited(turns) {
        if (free > 0) free--;
        else await new Promise((resolve) => waiting.push(resolve));
        for (let i = 0; i < turns; i++) await turn();
        release();
      }
      module.exports = Promise.all([1, 2, 4, 3, 6].map((turns) => limited(turns)));
    `;
    expect(await errors(program)).toEqual([]);
  });

  it('a connection', async () => {
    const program = `
      const idle = [{ id: 1 }, { id: 2 }];
      const waiting = [];
      function acquire() {
        if (idle.length > 0) return Promise.resolve(idle.pop());
        return new Promise((resolve) => waiting.push(resolve));
      }
      function release(connection) {
        const next = waiting.shift();
        if (next) next(connection);
        else idle.push(connection);
      }
      async function query(turns) {
        const connection = await acquire();
        for (let i = 0; i < turns; i++) await turn();
        release(connection);
      }
      const later = async () => { for (let i = 0; i < 6; i++) await turn(); await query(1); };
      module.exports = Promise.all([query(3), query(1), query(2), query(12), query(1), later()]);
    `;
    expect(await errors(program)).toEqual([]);
  });

  it('a flag that was set for it', async () => {
    const program = `
      const mutex = { locked: false, queue: [] };
      function next() {
        if (mutex.locked || mutex.queue.length === 0) return;
        mutex.locked = true;
        mutex.queue.shift()();
      }
      async function run() {
        await new Promise((resolve) => { mutex.queue.push(resolve); next(); });
        await turn();
        mutex.locked = false;
        next();
      }
      module.exports = Promise.all([run(), run(), run()]);
    `;
    expect(await errors(program)).toEqual([]);
  });

  it('its name, where it had only looked in the call that waited', async () => {
    const program = `
      let owner = null;
      const queue = [];
      async function lock(name) {
        if (owner === null) { owner = name; return; }
        await new Promise((resolve) => queue.push({ name, resolve }));
      }
      function unlock() {
        const next = queue.shift();
        if (next) { owner = next.name; next.resolve(); }
        else owner = null;
      }
      async function task(name) { await lock(name); await turn(); unlock(); }
      module.exports = Promise.all(['a', 'b', 'c', 'd'].map((name) => task(name)));
    `;
    expect(await errors(program)).toEqual([]);
  });

  it('also if the call returns the promise, and does not wait itself', async () => {
    const program = `
      let free = 2;
      const waiting = [];
      async function acquire() {
        if (free > 0) { free--; return; }
        return new Promise((resolve) => waiting.push(resolve));
      }
      const release = () => { const next = waiting.shift(); if (next) next(); else free++; };
      async function limited(turns) {
        await acquire();
        for (let i = 0; i < turns; i++) await turn();
        release();
      }
      module.exports = Promise.all([1, 2, 4, 3, 6].map((turns) => limited(turns)));
    `;
    expect(await errors(program)).toEqual([]);
  });

  it.runIf('withResolvers' in Promise)('also by Promise.withResolvers', async () => {
    const program = `
      let active = 0;
      const waiting = [];
      const release = () => { const next = waiting.shift(); if (next) next.resolve(); else active--; };
      async function limited(turns) {
        if (active < 2) active++;
        else { const mine = Promise.withResolvers(); waiting.push(mine); await mine.promise; }
        for (let i = 0; i < turns; i++) await turn();
        release();
      }
      module.exports = Promise.all([1, 2, 4, 3, 6].map((turns) => limited(turns)));
    `;
    expect(await errors(program)).toEqual([]);
  });
});

describe('but nothing else is excused by being woken', () => {
  it('a value from before the wait', async () => {
    const program = `
      ${MUTEX}
      let balance = 100;
      async function deposit(amount) {
        const before = balance;
        await enter();
        balance = before + amount;
        leave();
      }
      module.exports = Promise.all([deposit(1), deposit(2)]);
    `;
    expect(await errors(program)).toEqual(['deposit: balance']);
  });

  it('a check before it, for something that somebody else takes', async () => {
    const program = `
      ${MUTEX}
      let stock = 1;
      async function buy() {
        if (stock === 0) return;
        await enter();
        await turn();
        stock--;
        leave();
      }
      module.exports = Promise.all([buy(), buy()]);
    `;
    expect(await errors(program)).toEqual(['buy: stock']);
  });

  it('nor where the wait is in the same function', async () => {
    const program = `
      let stock = 1, busy = false;
      const waiting = [];
      async function buy() {
        if (stock === 0) return;
        if (busy) await new Promise((resolve) => waiting.push(resolve));
        else busy = true;
        await turn();
        stock--;
        const next = waiting.shift();
        if (next) next();
        else busy = false;
      }
      module.exports = Promise.all([buy(), buy()]);
    `;
    expect(await errors(program)).toEqual(['buy: stock']);
  });

  it('a flag that two set', async () => {
    const program = `
      ${MUTEX}
      const seat = { taken: false };
      async function reserve() {
        if (seat.taken) return;
        await enter();
        seat.taken = true;
        leave();
      }
      module.exports = Promise.all([reserve(), reserve()]);
    `;
    expect(await errors(program)).toEqual(['reserve: seat.taken']);
  });

  it('a place that is given away and counted as free as well', async () => {
    const program = `
      let active = 0;
      const waiting = [];
      const release = () => { active--; waiting.shift()?.(); };
      async function limited() {
        if (active < 2) active++;
        else await new Promise((resolve) => waiting.push(resolve));
        await turn();
        release();
      }
      module.exports = Promise.all([1, 2, 3, 4, 5].map(() => limited()));
    `;
    expect(await errors(program)).toEqual(['limited: active']);
  });

  it('a place that was taken between the call of resolve and the going on', async () => {
    const program = `
      let active = 0;
      const waiting = [];
      const acquire = async () => {
        if (active >= 1) await new Promise((resolve) => waiting.push(resolve));
        active++;
      };
      const release = () => { active--; waiting.shift()?.(); };
      let most = 0;
      async function work() {
        for (let i = 0; i < 2; i++) { await acquire(); most = Math.max(most, active); await turn(); release(); }
      }
      module.exports = Promise.all([work(), work()]);
    `;
    expect(await errors(program)).toEqual(['acquire: active']);
  });

  it('a lock that is set free, so that anybody may take it before who was woken does', async () => {
    const program = `
      let locked = false;
      const waiting = [];
      async function run() {
        if (locked) await new Promise((resolve) => waiting.push(resolve));
        locked = true;
        await turn();
        locked = false;
        waiting.shift()?.();
      }
      module.exports = Promise.all([run(), run(), run()]);
    `;
    expect(await errors(program)).toEqual(['run: locked']);
  });

  it('what a timer of its own has looked up for it, which it waits for as for any other task', async () => {
    const program = `
      const row = { balance: 100 };
      const balance = () => new Promise((resolve) => setImmediate(() => resolve(row.balance)));
      const subtract = (n) => new Promise((resolve) => setImmediate(() => { row.balance -= n; resolve(); }));
      async function withdraw(n) { if ((await balance()) >= n) await subtract(n); }
      module.exports = Promise.all([withdraw(80), withdraw(80)]);
    `;
    expect(await errors(program)).toEqual(['withdraw: row.balance']);
  });

  it('a timer of its own leaves nothing to anybody', async () => {
    const program = `
      let stock = 1;
      const log = [];
      async function buy() {
        if (stock === 0) return;
        await new Promise((resolve) => setImmediate(() => { log.push(1); resolve(); }));
        await turn();
        stock--;
      }
      module.exports = Promise.all([buy(), buy()]);
    `;
    expect(await errors(program)).toEqual(['buy: stock']);
  });
});
