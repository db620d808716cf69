import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ITEM, RUNS, randomProgram, repeatingProgram } from './random-programs.ts';
import { accesses, recordWithPauses } from './support.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** What is found in a program if everything is logged, and if everything that can be is put off. */
async function found(program: string): Promise<[string[], string[]]> {
  const outline = async (putOffFrom: number) => {
    const { judged } = await recordWithPauses(program, { putOffFrom });
    return judged.map(({ label, severity, because }) => `${label}: ${severity}, ${because}`).sort();
  };
  return [await outline(NEVER), await outline(0)];
}

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
    const [first] = accesses(await recordWithPauses(program, { putOffFrom: 0 })).split('\n');
    expect(first).toBe('block#1: r Item#1.n, w Item#1.n');
  });
});

it('random programs are judged the same, whether anything is put off or not', async () => {
  let violations = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      const [plain, putOff] = await found(program);
      expect(putOff).toEqual(plain);
      violations += plain.length;
    }),
    RUNS,
  );
  expect(violations).toBeGreaterThan(0);
});

it('so are programs that come to the same places again and again, but for notes', async () => {
  const withoutNotes = (all: string[]) => all.filter((each) => !each.includes(': note,'));
  let violations = 0;
  await fc.assert(
    fc.asyncProperty(repeatingProgram, async (program) => {
      const [plain, putOff] = await found(program);
      expect(withoutNotes(putOff)).toEqual(withoutNotes(plain));
      violations += plain.length;
    }),
    RUNS,
  );
  expect(violations).toBeGreaterThan(0);
});
