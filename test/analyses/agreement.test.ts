import { describe, it } from 'vitest';
import { aerodrome } from '../../src/analyses/aerodrome/index.ts';
import { aerodromeBasic } from '../../src/analyses/aerodrome-basic/index.ts';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { doublechecker } from '../../src/analyses/doublechecker/index.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { velodrome, velodromeWith } from '../../src/analyses/velodrome/index.ts';
import { Op } from '../../src/trace/operation.ts';
import {
  agreesOn,
  allAgreeOn,
  modesOf,
  type Promising,
  randomTraces,
  tracesIn,
} from '../support/agreement.ts';
import { FUZZ_SEED, fuzzRuns, seeded, TAKES_LARGER_SCOPES } from '../support/comparing.ts';
import { examples } from '../support/examples.ts';
import type { Scope } from '../support/exhaustive.ts';
import { print } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';

const ANALYSES: readonly Promising[] = [
  {
    description: regiontrack,
    promised: {
      verdict: 'exact',
      firstEvent: 'exact',
      violated: 'exact',
      forkJoin: ['edge', 'boundary', 'family'],
    },
  },
  { description: atomsanitizer, promised: { verdict: 'exact', firstEvent: 'exact', violated: 'none' } },
  ...[
    velodrome,
    { ...velodromeWith({ merging: false }), name: 'velodrome without merging' },
    {
      ...velodromeWith({ compactAbove: Number.NEGATIVE_INFINITY }),
      name: 'velodrome that always compacts',
    },
  ].map((description) => ({
    description,
    promised: { verdict: 'exact', firstEvent: 'exact', violated: 'subset' } as const,
  })),
  { description: aerodrome, promised: { verdict: 'exact', firstEvent: 'or-later', violated: 'none' } },
  { description: aerodromeBasic, promised: { verdict: 'exact', firstEvent: 'or-later', violated: 'none' } },
  {
    description: doublechecker,
    promised: {
      verdict: 'exact',
      firstEvent: 'none',
      violated: 'all-and-on-cycles',
      violatedAmong: 'transactions',
    },
  },
];

/** Gone through in seconds, and enough for every kind of conflict, nesting and open end. */
const SMALL_SCOPES: readonly Scope[] = [
  { events: 5, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
  { events: 5, threads: 2, variables: 1, accesses: [Op.write, Op.update] },
  { events: 5, threads: 3, variables: 1, accesses: [Op.write] },
  { events: 5, threads: 2, variables: 1, accesses: [Op.write], forkJoin: true },
  { events: 6, threads: 2, variables: 0, locks: 1 },
  { events: 4, threads: 2, variables: 1, accesses: [Op.write], locks: 1, depth: 2, forkJoin: true },
];

/** For long runs. */
const LARGER_SCOPES: readonly Scope[] = [
  { events: 7, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
  { events: 6, threads: 2, variables: 2, accesses: [Op.write, Op.update] },
  { events: 7, threads: 3, variables: 1, accesses: [Op.write] },
  { events: 9, threads: 2, variables: 1, accesses: [Op.write] },
  { events: 6, threads: 2, variables: 1, accesses: [Op.write], forkJoin: true },
  { events: 7, threads: 2, variables: 0, locks: 1 },
  { events: 5, threads: 2, variables: 1, locks: 1, depth: 2, forkJoin: true },
];

/*
 * Holds the analyses against the definitions: on the examples, on every small trace and on random ones, whose judgement
 * they share. TRACKSIDE_FUZZ_RUNS sets how many random ones, TRACKSIDE_FUZZ_SEED where they start.
 */
const runs = fuzzRuns(400);
/** Those of many threads take a hundred times as long. */
const wideRuns = Math.max(10, runs / 100);
const timeout = TAKES_LARGER_SCOPES ? 3_600_000 : 180_000 + runs * 10;
const MODES = ['edge', 'boundary', 'family'] as const;

for (const { description, promised } of ANALYSES)
  describe.each(modesOf(promised))(`${description.name} and the definitions, --fork-join %s`, (forkJoin) => {
    it.each(examples())('agree on $name', ({ name, trace }) => {
      const given = [{ events: [...trace.events()], origin: `${name}: ${print(trace)}` }];
      agreesOn(given, description, promised, forkJoin);
    });
  });

describe('all analyses and the definitions', () => {
  it('agree on every small trace', { timeout }, () => {
    // Without forks and joins it makes no difference what they mean.
    for (const scope of TAKES_LARGER_SCOPES ? LARGER_SCOPES : SMALL_SCOPES)
      allAgreeOn(tracesIn(scope), ANALYSES, scope.forkJoin === true ? MODES : ['edge']);
  });

  it(`agree on ${runs} random traces from seed ${FUZZ_SEED}`, { timeout }, () => {
    allAgreeOn(randomTraces(runs, FUZZ_SEED), ANALYSES, MODES);
  });

  it(`agree on ${wideRuns} random traces of up to 40 threads`, { timeout }, () => {
    const wide = (seed: number) => {
      const threads = 8 + (seed % 33);
      return randomTrace(seed, {
        threads,
        roots: 1 + (seed % threads),
        variables: 4 + (seed % 20),
        maxEvents: 250,
      });
    };
    const traces = seeded(wideRuns, (seed) => ({ events: wide(seed), origin: `wide(${seed})` }));
    allAgreeOn(traces, ANALYSES, MODES);
  });
});
