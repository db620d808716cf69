import { expect, it } from 'vitest';
import { accesses, recordWithPauses } from './support.ts';

/** `block` comes back behind what it came before, by way of `c`, which each of the others touches alone for a while. */
const cycle = (a: string, b: string, c: string) => `
  async function first() { ${a} = 1; ${c} = 1; }
  async function second() { await pause(); ${c}; ${b} = 1; }
  async function block() { ${a}; await turn(); await pause(); await pause(); ${b}; }
  const after = async (work) => { await turn(); await work(); };
  module.exports = Promise.all([block(), after(first), after(second)]);
`;

it('a cycle of several variables is found, however long it takes', async () => {
  const { judged } = await recordWithPauses(
    `const a = { n: 0 }, b = { n: 0 }, c = { n: 0 }; ${cycle('a.n', 'b.n', 'c.n')}`,
  );
  expect(judged.map(({ label }) => label)).toContain('block');
});

it('a cycle through several properties of one object is found, however long it takes', async () => {
  const { judged } = await recordWithPauses(`const o = { a: 0, b: 0, c: 0 }; ${cycle('o.a', 'o.b', 'o.c')}`);
  expect(judged.map(({ label }) => label)).toContain('block');
});

it('what one task has touched is forgotten when no block is open that began before', async () => {
  const trace = accesses(
    await recordWithPauses(`
      const o = { n: 0 };
      async function first() { await turn(); o.n = 1; }
      async function second() { o.n; }
      module.exports = first().then(() => pause()).then(() => second());
    `),
  );
  expect(trace).not.toContain('o.n');
});
