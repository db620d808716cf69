import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accesses, recordWithPauses } from './support.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** What is found in a program if everything is logged, and if everything that can be is put off. */
async function found(program: string): Promise<[string[], string[]]> {
  const outline = async (putOffFrom: number) => {
    const { judged } = await recordWithPauses(program, putOffFrom);
    return judged.map(({ label, severity, because }) => `${label}: ${severity}, ${because}`).sort();
  };
  return [await outline(NEVER), await outline(0)];
}

const ITEM = 'class Item { constructor(n) { this.n = n; this.next = null; this.list = []; } }';

describe('what was put off is logged when somebody comes', () => {
  it.each(['turn', 'pause'])('as what the block did before that (%s)', async (wait) => {
    const [plain, putOff] = await found(`
      ${ITEM}
      const shared = {};
      async function block() { const item = new Item(1); const { n } = item; shared.item = item; await ${wait}(); await turn(); item.n = n + 1; }
      async function other() { await ${wait}(); shared.item.n = 5; }
      module.exports = Promise.all([block(), other()]);
    `);
    expect(plain).not.toEqual([]);
    expect(putOff).toEqual(plain);
  });

  it('each access once, and only those of what the other one has come to', async () => {
    const program = `
      ${ITEM}
      async function block() { const item = new Item(1); new Item(2); for (let i = 0; i < 3; i++) item.n; await turn(); other(item); }
      async function other(item) { await null; item.n = 5; }
      module.exports = block();
    `;
    const [first] = accesses(await recordWithPauses(program, 0)).split('\n');
    expect(first).toBe('block#1: r Item#1.n, w Item#1.n');
  });
});

const MORE = process.env.TRACKSIDE_RANDOM_PROGRAMS;

const OBJECTS = ['a', 'b', 'c'];
const object = fc.constantFrom(...OBJECTS);
const value = fc.constantFrom('null', '1', 'step', 'new Item(2)');

/** What a task does with objects that its caller has made, or that it makes itself. */
const step = fc.oneof(
  object.map((o) => `seen(${o}.n);`),
  fc.tuple(object, value).map(([o, v]) => `${o}.n = ${v};`),
  object.map((o) => `${o}.n++;`),
  object.map((o) => `${o}.n = ${o}.n + 2;`),
  fc.tuple(object, value).map(([o, v]) => `${o}.next = ${v};`),
  object.map((o) => `if (!${o}.next) ${o}.next = new Item(3);`),
  object.map((o) => `${o}.list.push(1);`),
  object.map((o) => `${o}.list[0] = ${o}.list[1];`),
  object.map((o) => `${o}.list.pop();`),
  object.map((o) => `for (const x of ${o}.list) seen(x);`),
  object.map((o) => `seen({ ...${o} });`),
  object.map((o) => `${o} = new Item(4);`),
  fc.tuple(object, object).map(([o, p]) => `${o}.next = ${p};`),
  object.map((o) => `count += ${o}.list.length;`),
  fc.constant('await turn();'),
  fc.constant('await turn();'),
);
const steps = fc.array(step, { minLength: 1, maxLength: 8 });

it('random programs are judged the same, whether anything is put off or not', async () => {
  let violations = 0;
  await fc.assert(
    fc.asyncProperty(steps, steps, steps, fc.boolean(), async (before, one, other, isPassed) => {
      const given = isPassed ? 'a, b, c' : 'b, a, a';
      const [plain, putOff] = await found(`
        ${ITEM}
        const step = 7;
        const seen = (x) => x;
        let count = 0;
        async function one(a, b, c) { ${one.join(' ')} }
        async function other(a, b, c) { ${other.join(' ')} }
        async function main() {
          let a = new Item(1), b = { n: 0, next: null, list: [1, 2] }, c = new Item(5);
          ${before.join(' ')}
          const both = [one(a, b, c), other(${given})];
          ${before.join(' ')}
          await Promise.all(both);
        }
        module.exports = main().catch(() => {});
      `);
      expect(putOff).toEqual(plain);
      violations += plain.length;
    }),
    MORE === undefined ? { numRuns: 25, seed: 1 } : { numRuns: Number(MORE) },
  );
  expect(violations).toBeGreaterThan(0);
});
