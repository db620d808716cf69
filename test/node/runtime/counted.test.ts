import { expect, it } from 'vitest';
import { record } from './support.ts';

const world = { turn: () => new Promise((resolve) => setImmediate(resolve)) };

/** The blocks with errors. */
async function errors(program: string): Promise<string[]> {
  const { judged } = await record(program, world);
  return [...new Set(judged.filter(({ severity }) => severity === 'error').map(({ label }) => label))];
}

it('a task that has counted itself in may look at the count before it counts itself out', async () => {
  const program = `
    let active = 0;
    async function work() { active++; await turn(); if (active > 3) await turn(); await turn(); active--; }
    module.exports = Promise.all([work(), work(), work(), work()]);
  `;
  expect(await errors(program)).toEqual([]);
});

it('a task that whoever started it has counted in may count itself out', async () => {
  const program = `
    let reading = 0;
    const jobs = [1, 2, 3, 4, 5, 6], running = [];
    const next = () => { if (reading < 2 && jobs.length > 0) { reading++; running.push(run(jobs.shift())); } };
    async function run() { await turn(); next(); await turn(); reading--; next(); }
    async function all() { next(); next(); while (running.length > 0) await running.shift(); }
    module.exports = all();
  `;
  expect(await errors(program)).toEqual([]);
});

it('two tasks that look at one last place and both take it are reported', async () => {
  const program = `
    let stock = 0;
    async function buy() { if (stock > 0) { await turn(); stock--; } }
    stock++;
    module.exports = Promise.all([buy(), buy()]);
  `;
  expect(await errors(program)).toEqual(['buy']);
});

it('a task that has counted itself out needs a new look before it counts itself in again', async () => {
  const program = `
    let active = 0;
    async function work() {
      active++; await turn(); active--; await turn();
      if (active < 1) { await turn(); active++; }
    }
    module.exports = Promise.all([work(), work()]);
  `;
  expect(await errors(program)).toEqual(['work']);
});
