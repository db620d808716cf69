import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RUNS, randomProgram } from './random-programs.ts';
import { accesses, record, recordWithPauses, told, type Ways } from './support.ts';

const AT_ONCE: Ways = { readsLate: false };

describe('what was read and has no record', () => {
  it('is no part of the trace if nobody else comes', async () => {
    const recording = await recordWithPauses(`
      async function block(o) { o.x; await turn(); o.y; }
      module.exports = block({ x: 1, y: 2 });
    `);
    expect(accesses(recording)).toBe('');
  });

  it('is there when another task comes, and when the task itself writes it in a later step', async () => {
    const recording = await recordWithPauses(`
      const o = { x: 1, y: 2 };
      async function block() { const { x } = o; await turn(); o.x = x + 1; o.y; await turn(); }
      async function other() { await null; o.x = 5; o.y = 6; }
      module.exports = Promise.all([block(), other()]);
    `);
    expect(accesses(recording)).toBe(
      ['block#1: r o.x', 'other#1: w o.x, w o.y', 'block#1: w o.x, r o.y'].join('\n'),
    );
    expect(recording.judged).toMatchObject([{ label: 'block', pattern: 'lost-update', severity: 'error' }]);
  });

  it('is by the task that a call turns out to be', async () => {
    const recording = await recordWithPauses(`
      const o = { x: 1 };
      async function reads() { o.x; await turn(); o.x = 2; }
      async function starts() { const started = reads(); await turn(); o.x = 3; await started; }
      module.exports = starts();
    `);
    expect(accesses(recording)).toBe(['reads#1: r o.x, w o.x', 'starts#1: w o.x'].join('\n'));
  });

  it('is handed over with a block that is open, in its place', async () => {
    const recording = await recordWithPauses(`
      const o = { x: 1 };
      async function block() { o.x; await pause(); o.x = 2; }
      async function other() { await pause(); await turn(); o.x = 5; }
      module.exports = Promise.all([block(), other()]);
    `);
    expect(accesses(recording)).toContain('block#1: r o.x');
  });

  it('is no entry of another recording in the same process', async () => {
    const program = 'async function block() { kept.x; await null; kept.y; } module.exports = block();';
    const kept = { x: 1, y: 2 };
    await record(program, { kept });
    expect(accesses(await record(program, { kept }))).toBe('');
  });
});

/** What is read by one operation, such as a spread, is read at once, and it does not matter what of it was known before. */
function withoutOrderOfReads(trace: string): string {
  return trace.replace(/r [^,\n]+(?:, r [^,\n]+)+/g, (reads) =>
    [...new Set(reads.split(', '))].sort().join(', '),
  );
}

it('random programs have the same traces, whether reads have records at once or not', async () => {
  let reads = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      const atOnce = await recordWithPauses(program, AT_ONCE);
      const late = await recordWithPauses(program);
      expect(withoutOrderOfReads(told(late))).toBe(withoutOrderOfReads(told(atOnce)));
      expect(late.judged).toEqual(atOnce.judged);
      reads += accesses(late).split('r ').length - 1;
    }),
    RUNS,
  );
  expect(reads).toBeGreaterThan(0);
});
