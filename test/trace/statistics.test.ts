import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count } from '../../src/analyses/count/index.ts';
import type { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { StatisticsCounter } from '../../src/trace/statistics.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { traces } from '../support/arbitraries.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

function statisticsOf(trace: MemoryTrace) {
  const counter = new StatisticsCounter(trace.names);
  const wellFormedness = new WellFormedness(trace.names, { lenient: false });
  for (const batch of trace.copies()) {
    counter.countLogged(batch);
    wellFormedness.check(batch);
    counter.countTransactions(batch);
  }
  return counter.statistics();
}

describe('the statistics of a trace', () => {
  it('count outermost blocks as transactions, and events outside them as transactions of one event', () => {
    const statistics = statisticsOf(
      trace('t1: begin A, begin B, r x, end, end, w y; t2: r x; t1: begin A, end'),
    );
    expect(statistics).toMatchObject({
      events: 9,
      threads: 2,
      variables: 2,
      labels: 2,
      transactions: 2,
      unaryTransactions: 2,
      begins: 3,
      ends: 3,
    });
  });

  it('count locking inside locking as logged, but in no transaction of its own', () => {
    expect(statisticsOf(trace('t1: acq l, acq l, rel l, rel l'))).toMatchObject({
      events: 4,
      locks: 1,
      acquires: 2,
      releases: 2,
      unaryTransactions: 2,
    });
  });

  it('agree with the analysis that counts, which does not see locking inside locking', () => {
    fc.assert(
      fc.property(traces(), (trace) => {
        const { acquires, releases, ...seen } = run(count, trace).outcome.statistics;
        const statistics = statisticsOf(trace);
        expect(statistics).toMatchObject(seen);
        expect(statistics.acquires).toBeGreaterThanOrEqual(acquires);
        expect(statistics.releases).toBeGreaterThanOrEqual(releases);
      }),
    );
  });
});
