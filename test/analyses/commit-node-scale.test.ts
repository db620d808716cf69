import { describe, expect, it } from 'vitest';
import { commitNodeConflict, commitNodeView } from '../../src/analyses/commit-node/index.ts';
import { Random } from '../support/random-traces.ts';
import { DirectTrace } from './direct-trace.ts';

const UNITS = 10_000;
const ACCESSES = 48;
const THREADS = 8;
const VARIABLES = 1000;

function accesses(trace: DirectTrace, random: Random, thread: number): void {
  for (let i = 0; i < ACCESSES; i++)
    trace.add(thread, random.oneIn(3) ? 'write' : 'read', random.below(VARIABLES));
}

/** The time limit of tests is what half a million events with 10,000 units may take. */
describe.each([commitNodeConflict, commitNodeView])(
  '$name, on half a million events with 10,000 units',
  (analysis) => {
    it('passes units that differ and hold one lock', () => {
      const trace = new DirectTrace(analysis);
      const random = new Random(1);
      for (let unit = 0; unit < UNITS; unit++) {
        const thread = random.below(THREADS);
        trace.add(thread, 'begin').add(thread, 'acquire');
        accesses(trace, random, thread);
        trace.add(thread, 'release').add(thread, 'end');
      }
      const { statistics } = trace.outcome();
      expect(trace.violations).toEqual([]);
      expect(statistics).toMatchObject({ oneCommitNode: UNITS, trees: UNITS, undecided: 0 });
    });

    it('finds all of those that differ and hold no lock', () => {
      const trace = new DirectTrace(analysis);
      const random = new Random(2);
      for (let unit = 0; unit < UNITS; unit++) {
        const thread = random.below(THREADS);
        trace.add(thread, 'begin', random.below(20));
        accesses(trace, random, thread);
        trace.add(thread, 'end');
      }
      const { statistics } = trace.outcome();
      expect(new Set(trace.violations.map(({ block }) => block!.label)).size).toBe(20);
      expect(statistics).toMatchObject({ violated: UNITS, undecided: 0 });
    });

    it('keeps units that are alike once, and long ones short', () => {
      const trace = new DirectTrace(analysis);
      for (let unit = 0; unit < UNITS; unit++) {
        const thread = unit % THREADS;
        trace.add(thread, 'begin');
        for (let i = 0; i < ACCESSES / 4; i++)
          trace
            .add(thread, 'acquire', i % 2)
            .add(thread, 'read', i % 2)
            .add(thread, 'write', i % 2)
            .add(thread, 'release', i % 2);
        trace.add(thread, 'end');
      }
      const { statistics } = trace.outcome();
      expect(trace.violations).toHaveLength(1);
      // Two regions of either lock, with two accesses each.
      expect(statistics).toMatchObject({ violated: UNITS, trees: 1, nodes: 8 });
    });
  },
);
