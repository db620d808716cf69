import { expect, it } from 'vitest';
import { accesses, record } from './support.ts';

const world = { turn: () => new Promise((resolve) => setImmediate(resolve)) };

/** What the second of two tasks accesses, after or between what the first does. */
async function second(program: string): Promise<string[]> {
  const byTask = new Map<string, string[]>();
  for (const [, task, list] of accesses(await record(program, world)).matchAll(/^(.*#\d+): (.*)$/gm))
    byTask.set(task, [...(byTask.get(task) ?? []), ...list.split(', ')]);
  const [, found] = [...byTask].filter(([task]) => /^(task|Shop\.set)#/.test(task));
  return found?.[1] ?? [];
}

const twice = 'module.exports = Promise.all([task(), task()]);';

it('a value that is there already is no change', async () => {
  const program = `const o = { on: false }; async function task() { await turn(); o.on = true; } ${twice}`;
  expect(await second(program)).toEqual([]);
});

it('but a block that has looked before acts upon what it saw, whatever it writes', async () => {
  const program = `
    const seat = { taken: false };
    async function task() { if (!seat.taken) { await turn(); seat.taken = true; } }
    ${twice}
  `;
  expect(await second(program)).toContain('w seat.taken');
});

it('unless it is the same object', async () => {
  const program = `
    const shared = {}, o = { made: null };
    async function task() { if (!o.made) { await turn(); o.made = shared; } }
    ${twice}
  `;
  expect(await second(program)).toEqual(['r o.made']);
});

it('or it has waited for the same promise as the other one: each puts down once more what came of it', async () => {
  const program = `
    let pending, done = false;
    async function load() { await turn(); }
    async function task() {
      if (done) return;
      pending ??= load();
      await pending;
      done = true;
      pending = undefined;
    }
    ${twice}
  `;
  expect((await second(program)).filter((access) => access.startsWith('w '))).toEqual([]);
});

it('or it only says, as the other one has, that something has failed', async () => {
  const failing = (work: string) => `
    const batch = { failed: false };
    const work = async () => { await turn(); throw new Error('down'); };
    async function task() { if (batch.failed) return; ${work} }
    ${twice}
  `;
  const inCatch = failing('try { await work(); } catch { batch.failed = true; }');
  expect(await second(inCatch)).toEqual(['r batch.failed']);
  const inCallback = failing('await work().catch(() => { batch.failed = true; });');
  expect(await second(inCallback)).toEqual(['r batch.failed']);
  const later = failing('try { await work(); } catch { await turn(); batch.failed = true; }');
  expect(await second(later)).toContain('w batch.failed');
});

it('or both write an error', async () => {
  const program = `
    const batch = { error: null };
    async function task() { if (batch.error) return; await turn(); batch.error = new Error('down'); }
    ${twice}
  `;
  expect(await second(program)).toEqual(['r batch.error']);
});

it('private fields are compared with what was written to them last', async () => {
  const program = `
    class Shop { #open = false; async set(open) { this.#open; await turn(); this.#open = open; } }
    const shop = new Shop();
    module.exports = Promise.all([shop.set('yes'), shop.set('no')]);
  `;
  expect(await second(program)).toContain('w Shop#1.#open');
});

it('a site that writes the same and then something else has written', async () => {
  const program = `
    const o = { v: 0 };
    async function task() { await turn(); for (const v of [1, 1, 2, 1]) o.v = v; }
    ${twice}
  `;
  expect(await second(program)).toEqual(['w o.v']);
});
