import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomProgram } from '../../support/random-javascript.ts';
import { instrumented, logOf } from '../../support/run-snippet.ts';

// Random programs forget promises that are rejected, which is no failure of the test.
const ignoreHandled = (): void => {};
const handlers = process.listeners('unhandledRejection');
beforeAll(() => {
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => {});
  process.on('rejectionHandled', ignoreHandled);
});
afterAll(() => {
  process.off('rejectionHandled', ignoreHandled);
  process.removeAllListeners('unhandledRejection');
  for (const handler of handlers) process.on('unhandledRejection', handler);
});

const RUNS = Number(process.env.TRACKSIDE_RANDOM_PROGRAMS ?? 60);

/** Messages quote source text, and stacks have columns; which error it was is what counts. */
function withoutMessages(log: string[]): string[] {
  return log.map((line) => line.replace(/\n\s+at .*/g, '').replace(/(Error): .*/g, '$1'));
}

test('random programs do the same with and without probes', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram, async (source) => {
      const plain = await logOf(source);
      // Some are no programs: `o?.p = 1`, a `for` over a comma. The engine says so.
      fc.pre(!plain[0]?.startsWith('threw SyntaxError'));
      const log = await logOf(instrumented(source));
      expect(withoutMessages(log)).toEqual(withoutMessages(plain));
      compared++;
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThanOrEqual(RUNS);
});
