import { describe, expect, it } from 'vitest';
import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { TraceBuilder, usualWeights, type Weights } from '../support/choices.ts';
import { printEvents } from '../support/notation.ts';
import { Random } from '../support/random-traces.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';
import { refutations } from './regiontrack-plain.ts';

/*
 * Traces too long for the oracle, with more threads, deeper nesting and more forks: long enough that rows of
 * knowledge are moved, cleared and collected, chains of forks are shortened, and every number is used again.
 */

const RUNS = Math.max(Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0) / 50, 200);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

const mixtures: readonly Weights[] = [
  usualWeights,
  { ...usualWeights, fork: 20, join: 5 },
  { ...usualWeights, fork: 20, join: 0, end: 15 },
  { ...usualWeights, acquire: 0, release: 0, fork: 2, join: 0, begin: 40 },
  { ...usualWeights, read: 3, write: 3, update: 3, acquire: 0, release: 0, begin: 20, end: 15, fork: 10 },
];

function longTrace(seed: number): NamedEvent[] {
  const random = new Random(seed);
  const threads = random.between(3, 60);
  const builder = new TraceBuilder({
    threads,
    roots: random.oneIn(2) ? 1 : random.between(1, threads),
    // Many variables, so that few conflicts tie everything together at once.
    variables: random.oneIn(3) ? random.between(3, 20) : random.between(20, 400),
    locks: random.below(4),
    depth: random.between(1, 12),
    weights: mixtures[random.below(mixtures.length)],
    closed: random.oneIn(2),
  });
  const length = random.between(50, 600);
  const patience = random.between(1, 10);
  let thread = 0;
  for (let tries = 0; builder.events.length < length && tries < 20 * length; tries++) {
    if (random.oneIn(patience)) thread = random.below(threads);
    builder.choose({ thread, op: random.below(1 << 16), operand: random.below(1 << 16) });
  }
  return builder.finish();
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
