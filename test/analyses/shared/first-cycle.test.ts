import { describe, expect, it } from 'vitest';
import { aerodrome } from '../../../src/analyses/aerodrome/index.ts';
import { atomsanitizer } from '../../../src/analyses/atomsanitizer/index.ts';
import { type LongTraceShape, longTrace, withLeftOut } from '../../support/long-traces.ts';
import { Random } from '../../support/random-traces.ts';
import { run } from '../../support/run.ts';

/*
 * Traces that go on for long without a cycle, so that tables grow, entries are used again and lists of readers
 * are cut down, held against a graph of all transactions (`TransactionGraph`).
 */
const usual: LongTraceShape = {
  events: 400,
  threads: 6,
  variables: 6,
  locks: 2,
  writes: 4,
  updates: 6,
  blockLength: 12,
  threadLife: 60,
};

const shapes: Record<string, LongTraceShape | typeof anyShape> = {
  'of any shape': anyShape,
  'of everything': usual,
  'of three threads on two variables': { ...usual, threads: 3, variables: 2, locks: 1, writes: 3 },
  'with many readers and few writers': {
    ...usual,
    threads: 30,
    variables: 3,
    locks: 0,
    writes: 60,
    updates: 40,
  },
  'with many updaters and few readers': {
    ...usual,
    threads: 20,
    variables: 3,
    locks: 0,
    writes: 60,
    updates: 1.1,
  },
  'of short-lived readers beside long blocks': {
    ...usual,
    threads: 12,
    variables: 3,
    locks: 0,
    writes: 40,
    updates: 40,
    blockLength: 100,
    threadLife: 4,
  },
  'with long blocks': { ...usual, threads: 12, variables: 30, blockLength: 60 },
  'with short blocks and a few long ones': { ...usual, threads: 12, variables: 20, blockLength: 4 },
  'of short-lived threads': { ...usual, threads: 20, threadLife: 6 },
  'with more of everything than tables start with': {
    ...usual,
    events: 1500,
    threads: 60,
    variables: 700,
    locks: 40,
    threadLife: 20,
  },
};

/** A shape for each seed. */
function anyShape(seed: number): LongTraceShape {
  const random = new Random(seed);
  const oneOf = (...choices: number[]) => choices[random.below(choices.length)];
  return {
    events: random.between(30, 700),
    threads: random.between(2, oneOf(6, 40)),
    variables: random.between(1, oneOf(5, 5, 40)),
    locks: random.below(4),
    writes: oneOf(2, 5, 20, 100),
    updates: oneOf(1.2, 3, 10, 1000),
    blockLength: oneOf(3, 10, 40, 200),
    threadLife: oneOf(4, 15, 60, 500),
  };
}

const RUNS = Math.max(6, Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0) / 1000);
const timeout = 180_000 + RUNS * 500;

describe.each(Object.entries(shapes))('long traces %s', (_, shape) => {
  it.each([atomsanitizer, aerodrome])(
    'have no cycle for $name, but with any event left out of them',
    { timeout },
    (description) => {
      for (let seed = 1; seed <= RUNS; seed++) {
        const long = longTrace(seed, typeof shape === 'function' ? shape(seed) : shape);
        expect([seed, run(description, long.trace).outcome.firstEvent]).toEqual([seed, null]);
        // Some of them, from all parts of the trace.
        for (let k = seed % 7; k < long.leftOut.length; k += 1 + Math.floor(long.leftOut.length / 40)) {
          const cyclic = withLeftOut(long, long.leftOut[k]);
          // For aerodrome it is that event too, because the trace and all its blocks end there.
          expect([seed, k, run(description, cyclic).outcome.firstEvent]).toEqual([seed, k, cyclic.length]);
        }
      }
    },
  );
});
