import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { analysesNamed } from '../../src/analyses/registry.ts';
import { checkTrace } from '../../src/check/check.ts';
import { Specification } from '../../src/spec/specification.ts';

/*
 * Runs of the benchmark programs that the papers used. The `refined` ones are the same runs without the blocks
 * that are violated. Verdicts and first events were confirmed by an independent checker.
 */
const TRACES: [name: string, events: number, firstEvent: number | null][] = [
  ['philo', 39_405, 93],
  ['philo.refined', 35_405, null],
  ['elevator', 735_357, 2192],
  ['elevator.refined', 728_955, null],
  ['tsp-s', 228_902, 60_334],
  ['tsp-s.refined', 223_714, null],
];

describe('real traces', () => {
  it.each(TRACES)('%s', async (name, events, firstEvent) => {
    const path = fileURLToPath(new URL(`../fixtures/traces/${name}.std.gz`, import.meta.url));
    const check = await checkTrace(path, {
      analyses: analysesNamed('regiontrack,atomsanitizer,aerodrome,velodrome,doublechecker', 'edge'),
      forkJoin: 'edge',
      first: false,
      specification: new Specification(),
    });
    expect(check).toMatchObject({ events, problem: null });
    const begins = new Map<string, Set<number | undefined>>();
    for (const { description, analysis, violations } of check.runs) {
      const outcome = analysis.outcome();
      expect(outcome.serializable).toBe(firstEvent === null);
      if (description.name !== 'doublechecker') expect(outcome.firstEvent).toBe(firstEvent);
      const blamed = violations.filter(({ kind }) => kind === 'transaction');
      begins.set(description.name, new Set(blamed.map(({ block }) => block?.begin)));
    }
    const violated = begins.get('regiontrack') ?? new Set();
    expect(violated.size > 0).toBe(firstEvent !== null);
    for (const begin of begins.get('velodrome') ?? []) expect(violated).toContain(begin);
  });
});
