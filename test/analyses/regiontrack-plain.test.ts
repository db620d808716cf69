import { describe, expect, it } from 'vitest';
import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { printEvents } from '../support/notation.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';
import { type Refutation, refutations } from './regiontrack-plain.ts';
import { oneWayTrace, wildTrace } from './regiontrack-traces.ts';

const RUNS = Math.max(Number(process.env.TRACKSIDE_FUZZ_RUNS ?? 0) / 20, 100);
const SEED = Number(process.env.TRACKSIDE_FUZZ_SEED ?? 1);

/** What RegionTrack says otherwise than the plain algorithm, or null. */
function difference(events: readonly NamedEvent[], forkJoin: ForkJoin): string | null {
  const trace = MemoryTrace.of(events);
  const { outcome, violations } = run(regiontrack, trace, { forkJoin });
  const reported: Refutation[] = [];
  for (const { block, event } of violations) if (block !== null) reported.push({ begin: block.begin, event });
  const expected = JSON.stringify(refutations(trace, forkJoin));
  const actual = JSON.stringify(reported.sort((a, b) => a.event - b.event || a.begin - b.begin));
  if (actual !== expected) return `${expected} are refuted, ${actual} are reported`;
  if (forkJoin === 'family') return null;
  const first = run(atomsanitizer, trace).outcome.firstEvent;
  return outcome.firstEvent === first
    ? null
    : `the first event is ${first}, reported is ${outcome.firstEvent}`;
}

describe.each([
  { name: 'wild', make: wildTrace },
  { name: 'one-way', make: oneWayTrace },
])('regiontrack and plain vector clocks, on $name traces', ({ make }) => {
  it.each(['edge', 'family'] as const)(
    `refute the same blocks at the same events (--fork-join %s, ${RUNS} traces from seed ${SEED})`,
    { timeout: 180_000 + RUNS * 50 },
    (forkJoin) => {
      for (let seed = SEED; seed < SEED + RUNS; seed++) {
        const events = make(seed);
        if (difference(events, forkJoin) === null) continue;
        const smallest = shrink(events, (candidate) => difference(candidate, forkJoin) !== null);
        expect.fail(`seed ${seed}: ${difference(smallest, forkJoin)} on ${printEvents(smallest)}`);
      }
    },
  );
});
