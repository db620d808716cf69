import { expect, it } from 'vitest';
import { EventFlag } from '../../../src/trace/facts.ts';
import { Op } from '../../../src/trace/operation.ts';
import { record } from './support.ts';

const world = { turn: () => new Promise((resolve) => setImmediate(resolve)) };
const twice = 'module.exports = Promise.all([task(), task()]);';

/** What is known of each write to the variable, in order. */
async function writesTo(name: string, program: string): Promise<string[]> {
  const { trace, facts } = await record(program, world);
  const writes: string[] = [];
  for (const [i, { op, operand }] of [...trace.events()].entries()) {
    if (op !== Op.write || !operand.startsWith(name)) continue;
    const flags = facts.flags.get(i + 1) ?? 0;
    const known = Object.entries(EventFlag).filter(([, flag]) => (flags & flag) !== 0);
    writes.push(known.map(([word]) => word).join(' '));
  }
  return writes;
}

it('a write of what is there already is logged, and said to change nothing', async () => {
  const program = `const o = { on: false }; async function task() { await turn(); o.on = true; } ${twice}`;
  expect(await writesTo('o.on', program)).toEqual(['', 'same']);
});

it('whoever waited for the same promise as others puts down what came of it', async () => {
  const program = `
    let pending;
    const state = { token: null };
    async function load() { await turn(); return 'secret'; }
    async function task() { pending ??= load(); state.token = await pending; }
    ${twice}
  `;
  expect(await writesTo('state.token', program)).toEqual(['', 'same sharedResult']);
});

it('a flag that is set where something has failed says so', async () => {
  const program = `
    const batch = { failed: false };
    const work = async () => { await turn(); throw new Error('down'); };
    async function task() { if (batch.failed) return; try { await work(); } catch { batch.failed = true; } }
    ${twice}
  `;
  expect(await writesTo('batch.failed', program)).toEqual(['', 'same failure']);
});

it('one error more says no more than that something has failed', async () => {
  const program = `
    const batch = { error: null };
    async function task() { if (batch.error) return; await turn(); batch.error = new Error('down'); }
    ${twice}
  `;
  expect(await writesTo('batch.error', program)).toEqual(['', 'same failure']);
});

it('a flag that the waker has set for whom it wakes is a hand-off', async () => {
  const program = `
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
    ${twice}
  `;
  expect(await writesTo('writing', program)).toContain('handOff');
});

it('a site that writes the same and then something else has written both', async () => {
  const program = `
    const o = { v: 0 };
    async function task() { await turn(); for (const v of [1, 1, 2, 1]) o.v = v; }
    ${twice}
  `;
  const writes = await writesTo('o.v', program);
  expect(writes[0]).toBe('');
  expect(writes.slice(1)).toContain('same');
  expect(writes.slice(1)).toContain('');
});

it('functions of a module that two tasks put down are the same, also in objects of their own', async () => {
  const program = `
    const state = { code: null };
    const library = Promise.resolve({ and() {}, or() {} });
    async function task() {
      if (state.code) return;
      const { and, or } = await library.then((all) => all);
      await turn();
      state.code = { and, or };
    }
    ${twice}
  `;
  expect(await writesTo('state.code', program)).toEqual(['', 'same']);
});

it('objects of functions that each task has made itself are not the same', async () => {
  const program = `
    const state = { code: null };
    async function task() {
      if (state.code) return;
      await turn();
      state.code = { and() {} };
    }
    ${twice}
  `;
  expect(await writesTo('state.code', program)).toEqual(['', '']);
});
