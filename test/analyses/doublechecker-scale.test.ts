import { describe, expect, it } from 'vitest';
import { doublechecker } from '../../src/analyses/doublechecker/index.ts';
import { DirectTrace } from './direct-trace.ts';

const THREADS = 100_000;

describe('doublechecker, at scale', () => {
  it('logs nothing for long of 100,000 short threads', () => {
    const trace = new DirectTrace(doublechecker);
    for (let child = 1; child <= THREADS; child++)
      trace.add(0, 'fork', child).lockedIncrement(child).add(0, 'join', child);
    const { serializable, statistics } = trace.outcome();
    expect(serializable).toBe(true);
    expect(statistics).toMatchObject({ transactionsAliveAtMost: 1, eventsLoggedAtMost: 6, components: 0 });
  });

  it('replays 10,000 nested forks and joins as one component', () => {
    const depth = 10_000;
    const trace = new DirectTrace(doublechecker);
    for (let t = 0; t < depth; t++)
      trace
        .add(t, 'begin')
        .add(t, 'write', t)
        .add(t, 'fork', t + 1);
    for (let t = depth - 1; t >= 0; t--) trace.add(t, 'join', t + 1).add(t, 'end');
    expect(trace.outcome().statistics).toMatchObject({ components: 1, transactionsReplayed: depth });
    expect(trace.violations).toHaveLength(depth - 1);
  });

  it('replays once what one transaction that lasts for the whole trace ties together', () => {
    const trace = new DirectTrace(doublechecker).add(0, 'begin').add(0, 'acquire').add(0, 'release');
    for (let i = 0; i < 50_000; i++) trace.lockedIncrement(1 + (i % 4));
    trace.add(0, 'acquire').add(0, 'release').add(0, 'end');
    expect(trace.outcome().statistics).toMatchObject({ components: 1, transactionsReplayed: 50_001 });
    expect(trace.violations).toMatchObject([{ thread: 0, block: { begin: 1 } }]);
  });

  it('replays nothing of 50 threads that share a lock', () => {
    const trace = new DirectTrace(doublechecker);
    for (let i = 0; i < 50_000; i++) trace.lockedIncrement(i % 50);
    expect(trace.outcome()).toMatchObject({ serializable: true, statistics: { eventsReplayed: 0 } });
  });
});
