import { describe, expect, it } from 'vitest';
import { velodrome } from '../../src/analyses/velodrome/index.ts';
import { DirectTrace } from './direct-trace.ts';

const THREADS = 100_000;

describe('velodrome, at scale', () => {
  it('keeps no node of 100,000 short threads', () => {
    const trace = new DirectTrace(velodrome);
    for (let child = 1; child <= THREADS; child++)
      trace.add(0, 'fork', child).lockedIncrement(child).add(0, 'join', child);
    const { serializable, statistics } = trace.outcome();
    expect(serializable).toBe(true);
    expect(statistics).toMatchObject({ nodesAllocated: THREADS, nodesAliveAtMost: 1, edges: 0 });
  });

  it('keeps one node of each of 100,000 threads while the block that forked them is open', () => {
    const trace = new DirectTrace(velodrome).add(0, 'begin');
    for (let child = 1; child <= THREADS; child++)
      trace
        .add(0, 'fork', child)
        .add(child, 'write', child)
        .add(child, 'write', child + 1);
    trace.add(0, 'end').add(0, 'begin').add(0, 'end');
    const { serializable, statistics } = trace.outcome();
    expect(serializable).toBe(true);
    expect(statistics.nodesAllocated).toBe(THREADS + 2);
    expect(statistics.nodesAliveAtMost).toBe(THREADS + 1);
  });

  it('finds the writer after 100,000 readers', () => {
    const trace = new DirectTrace(velodrome).add(0, 'begin').add(0, 'write');
    for (let reader = 1; reader <= THREADS; reader++) trace.add(reader, 'read');
    trace
      .add(THREADS + 1, 'begin')
      .add(THREADS + 1, 'write')
      .add(0, 'read')
      .add(0, 'end');
    expect(trace.outcome()).toMatchObject({ serializable: false, firstEvent: THREADS + 5 });
    expect(trace.violations).toHaveLength(1);
  });

  it('blames every parent in 10,000 nested forks, each joined in the block that forked it', () => {
    const depth = 10_000;
    const trace = new DirectTrace(velodrome);
    for (let t = 0; t < depth; t++)
      trace
        .add(t, 'begin')
        .add(t, 'write', t)
        .add(t, 'fork', t + 1);
    trace.add(depth, 'write', depth);
    for (let t = depth - 1; t >= 0; t--) trace.add(t, 'join', t + 1).add(t, 'end');
    expect(trace.outcome()).toMatchObject({ serializable: false, firstEvent: 3 * depth + 2 });
    expect(trace.violations.map(({ thread }) => thread)).toEqual(
      Array.from({ length: depth }, (_, i) => depth - 1 - i),
    );
  });

  it('blames nobody in 10,000 nested forks without joins', () => {
    const depth = 10_000;
    const trace = new DirectTrace(velodrome);
    for (let t = 0; t < depth; t++)
      trace
        .add(t, 'begin')
        .add(t, 'write', t)
        .add(t, 'fork', t + 1);
    for (let t = 0; t < depth; t++) trace.add(t, 'end');
    expect(trace.outcome()).toMatchObject({ serializable: true, statistics: { edges: depth - 1 } });
  });

  it('keeps few nodes beside one transaction that lasts for the whole trace', () => {
    const trace = new DirectTrace(velodrome).add(0, 'begin').add(0, 'write', 1);
    for (let i = 0; i < 100_000; i++) {
      const thread = 1 + (i % 4);
      if (i < 4) trace.add(thread, 'read', 1);
      trace.lockedIncrement(thread);
    }
    trace.add(0, 'read').add(0, 'end');
    const { firstEvent, statistics } = trace.outcome();
    expect(firstEvent).toBe(trace.events - 1);
    expect(trace.violations).toMatchObject([{ kind: 'transaction', thread: 0, block: { begin: 1 } }]);
    expect(statistics.nodesAllocated).toBe(100_005);
    expect(statistics.nodesAliveAtMost).toBeLessThan(1100);
  });

  it('keeps few nodes when open transactions overlap for the whole trace', () => {
    const trace = new DirectTrace(velodrome).add(0, 'begin').add(0, 'write', 9);
    for (let t = 1; t < 8; t++) trace.add(t, 'begin').add(t, 'read', 9);
    for (let i = 0; i < 100_000; i++) {
      const thread = 1 + (i % 7);
      trace.add(thread, 'end').add(thread, 'begin');
      trace.add(thread, 'read', 10 + ((i + 3) % 7)).add(thread, 'write', 10 + (i % 7));
    }
    const { serializable, statistics } = trace.outcome();
    expect(serializable).toBe(true);
    expect(statistics.nodesAliveAtMost).toBeLessThan(1100);
  });

  it('keeps one node of 50 threads that share a lock', () => {
    const trace = new DirectTrace(velodrome);
    for (let i = 0; i < 50_000; i++) trace.lockedIncrement(i % 50);
    const { serializable, statistics } = trace.outcome();
    expect(serializable).toBe(true);
    expect(statistics).toMatchObject({ nodesAllocated: 50_000, nodesAliveAtMost: 1 });
  });

  it('keeps few nodes of 50 threads that share a lock which an open transaction held', () => {
    const trace = new DirectTrace(velodrome).add(50, 'begin').add(50, 'acquire').add(50, 'release');
    for (let i = 0; i < 50_000; i++) trace.lockedIncrement(i % 50);
    trace.add(50, 'acquire').add(50, 'release').add(50, 'end');
    const { firstEvent, statistics } = trace.outcome();
    expect(firstEvent).toBe(trace.events - 2);
    expect(statistics.nodesAliveAtMost).toBeLessThan(1200);
  });

  it('refutes 20,000 nested blocks, outermost first', () => {
    const depth = 20_000;
    const trace = new DirectTrace(velodrome);
    for (let i = 0; i < depth; i++) trace.add(0, 'begin');
    trace.add(0, 'write').add(1, 'write').add(0, 'write');
    trace.outcome();
    expect(trace.violations.map(({ block }) => block?.depth)).toEqual(
      Array.from({ length: depth }, (_, i) => i),
    );
  });
});
