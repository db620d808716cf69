import { describe, expect, it } from 'vitest';
import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { usualWeights, type Weights } from '../support/choices.ts';
import { printEvents } from '../support/notation.ts';
import { Random, randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';
import { refutations } from './regiontrack-plain.ts';

/*
 * Traces too long for the oracle, with more threads, deeper nesting and more forks: long enough that rows of
 * knowledge are moved, cleared and collected, chains of forks are shortened, and every number is used again.
 */

const RUNS = Math.max(Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0) / 100, 100);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

const mixtures: readonly Weights[] = [
  usualWeights,
  { ...usualWeights, fork: 12, join: 3 },
  { ...usualWeights, fork: 12, join: 0, begin: 8 },
  { ...usualWeights, acquire: 0, release: 0, join: 0, fork: 1 },
  { ...usualWeights, read: 1, write: 1, update: 1, acquire: 0, release: 0, begin: 8, end: 6, fork: 4 },
];

function longTrace(seed: number): NamedEvent[] {
  const random = new Random(seed);
  return randomTrace(seed, {
    threads: random.between(3, 60),
    // Many variables, so that few conflicts tie everything together at once.
    variables: random.between(5, 300),
    locks: random.below(4),
    depth: random.between(1, 12),
    weights: mixtures[random.below(mixtures.length)],
    maxEvents: 600,
  });
}

/** What RegionTrack says otherwise than the plain algorithm, or null. */
function difference(events: readonly NamedEvent[], forkJoin: ForkJoin): string | null {
  const trace = MemoryTrace.of(events);
  const { outcome, violations } = run(regiontrack, trace, { forkJoin });
  const expected = refutations(trace, forkJoin);
  const actual = violations
    .filter(({ kind }) => kind === 'transaction')
    .map(({ block, event }) => ({ begin: block!.begin, event }))
    .sort((a, b) => a.event - b.event || a.begin - b.begin);
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    return `refuted are ${JSON.stringify(expected)}, reported ${JSON.stringify(actual)}`;
  if (forkJoin === 'family') return null;
  const first = run(atomsanitizer, trace).outcome.firstEvent;
  return outcome.firstEvent === first ? null : `first event is ${first}, reported ${outcome.firstEvent}`;
}

describe.each(['edge', 'family'] as const)(
  'regiontrack and plain vector clocks, --fork-join %s',
  (forkJoin) => {
    it(`refute the same blocks at the same events on ${RUNS} long traces from seed ${SEED}`, {
      timeout: 60_000 + RUNS * 200,
    }, () => {
      for (let k = 0; k < RUNS; k++) {
        const events = longTrace(SEED + k);
        if (difference(events, forkJoin) === null) continue;
        const smallest = shrink(events, (candidate) => difference(candidate, forkJoin) !== null);
        expect.fail(`seed ${SEED + k}: ${difference(smallest, forkJoin)} on ${printEvents(smallest)}`);
      }
    });
  },
);
