import { describe, expect, it } from 'vitest';
import type { AnalysisDescription, ForkJoin } from '../../src/analyses/analysis.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { DirectTrace } from './direct-trace.ts';

const THREADS = 100_000;
const NESTED = 10_000;

function withForkJoin(forkJoin: ForkJoin): AnalysisDescription {
  return { ...regiontrack, create: (context) => regiontrack.create({ ...context, forkJoin }) };
}

const edge = withForkJoin('edge');
const family = withForkJoin('family');

describe('regiontrack, at scale', () => {
  it.each([edge, family])('finds nothing in 100,000 short threads that take turns', (description) => {
    const trace = new DirectTrace(description);
    for (let child = 1; child <= THREADS; child++)
      trace.add(0, 'fork', child).lockedIncrement(child).add(0, 'join', child);
    expect(trace.outcome()).toMatchObject({ firstEvent: null, statistics: { transactionsAtMost: 1 } });
  });

  it('refutes each of 100,000 short transactions that another one writes into', () => {
    const trace = new DirectTrace(edge);
    for (let child = 1; child <= THREADS; child++)
      trace.add(child, 'begin').add(child, 'read').add(0, 'write').add(child, 'write').add(child, 'end');
    expect(trace.outcome().firstEvent).toBe(4);
    expect(trace.violations.map(({ block }) => block!.begin)).toEqual(
      Array.from({ length: THREADS }, (_, i) => 5 * i + 1),
    );
  });

  it('refutes a transaction by its first child, and only once by 100,000', () => {
    const trace = new DirectTrace(edge).add(0, 'begin');
    for (let child = 1; child <= THREADS; child++)
      trace.add(0, 'fork', child).lockedIncrement(child).add(0, 'join', child);
    expect(trace.add(0, 'end').outcome().firstEvent).toBe(9);
    expect(trace.violations).toHaveLength(1);
  });

  it('does not refute a family by 100,000 children', () => {
    const trace = new DirectTrace(family).add(0, 'begin');
    for (let child = 1; child <= THREADS; child++)
      trace.add(0, 'fork', child).lockedIncrement(child).add(0, 'join', child);
    expect(trace.add(0, 'end').outcome().firstEvent).toBeNull();
  });

  it('refutes it by an outsider after them', () => {
    const trace = new DirectTrace(family).add(0, 'begin').add(0, 'write', 1);
    for (let child = 1; child <= THREADS; child++)
      trace.add(0, 'fork', child).lockedIncrement(child).add(0, 'join', child);
    trace
      .add(THREADS + 1, 'write', 1)
      .add(0, 'read', 1)
      .add(0, 'end');
    expect(trace.outcome().firstEvent).toBe(trace.events - 1);
    expect(trace.violations).toHaveLength(1);
  });

  it('knows the outermost of 10,000 nested forks from the innermost', () => {
    const trace = nestedForks(edge);
    trace.add(NESTED - 1, 'write', 1);
    // Every block is known there, but only that of the reading thread is open in it.
    trace.add(0, 'read', 1);
    trace.add(NESTED / 2, 'read', 1);
    expect(trace.outcome().firstEvent).toBe(trace.events - 1);
    expect(trace.violations.map(({ thread }) => thread)).toEqual([0, NESTED / 2]);
  });

  it('refutes all of them by joins, innermost first', () => {
    const trace = nestedForks(edge);
    const before = trace.events;
    for (let thread = NESTED - 1; thread > 0; thread--)
      trace.add(thread, 'end').add(thread - 1, 'join', thread);
    expect(trace.outcome().firstEvent).toBe(before + 2);
    expect(trace.violations.map(({ thread }) => thread)).toEqual(
      Array.from({ length: NESTED - 1 }, (_, i) => NESTED - 2 - i),
    );
  });

  it('refutes no family by them', () => {
    const trace = nestedForks(family);
    for (let thread = NESTED - 1; thread > 0; thread--)
      trace.add(thread, 'end').add(thread - 1, 'join', thread);
    expect(trace.outcome().firstEvent).toBeNull();
  });

  it('refutes all 10,000 families, outermost first, by an outsider between two events of the innermost', () => {
    const trace = nestedForks(family).add(NESTED - 1, 'read', 1);
    trace.add(NESTED, 'write', 1).add(NESTED - 1, 'write', 1);
    // All are refuted: nothing more is found, however often the outsider comes between.
    for (let i = 0; i < NESTED; i++) trace.add(NESTED, 'write', 1).add(NESTED - 1, 'write', 1);
    trace.outcome();
    expect(trace.violations.map(({ thread }) => thread)).toEqual(Array.from({ length: NESTED }, (_, i) => i));
  });

  it('follows two chains of short threads, each forked in a block of the one before, that nobody joins', () => {
    const trace = new DirectTrace(family);
    for (let i = 0; i < NESTED; i++) {
      for (const thread of [2 * i, 2 * i + 1]) {
        trace.add(thread, 'begin').add(thread, 'write', i % 10);
        trace.add(thread, 'fork', thread + 2).add(thread, 'end');
      }
    }
    // The very first fork of the one chain comes after everything the other has done; its family is long closed.
    trace.add(2, 'write', 0);
    expect(trace.outcome().firstEvent).toBeNull();
  });

  it('reads in a chain of 100,000 threads, each forked by the one before, in a block that lasts', () => {
    const trace = new DirectTrace(family).add(0, 'begin').add(0, 'write', 1);
    for (let thread = 0; thread < THREADS; thread++)
      trace.add(thread, 'fork', thread + 1).add(thread + 1, 'read', 2);
    // Whoever writes it comes after them all, and so after the write of the block.
    trace.add(THREADS + 1, 'write', 2).add(THREADS + 1, 'write', 3);
    trace.add(0, 'read', 3);
    expect(trace.outcome().firstEvent).toBe(trace.events);
  });

  it('follows one transaction that lasts for the whole trace', () => {
    const trace = new DirectTrace(edge).add(0, 'begin').add(0, 'write', 1);
    for (let i = 0; i < THREADS; i++) {
      const thread = 1 + (i % 7);
      trace
        .add(thread, 'begin')
        .add(thread, 'read', 1)
        .add(thread, 'write', 2 + thread)
        .add(thread, 'end');
    }
    trace.add(0, 'read', 1);
    const last = trace.events + 1;
    trace.add(0, 'read', 3).add(0, 'end');
    expect(trace.outcome()).toMatchObject({ firstEvent: last, statistics: { subregions: 7 } });
    expect(trace.violations).toEqual([
      { kind: 'transaction', event: last, thread: 0, block: { label: 0, begin: 1, depth: 0 } },
    ]);
  });

  it('finds nothing in 50 threads that share one lock', () => {
    const trace = new DirectTrace(edge);
    for (let i = 0; i < THREADS; i++) trace.lockedIncrement(i % 50);
    expect(trace.outcome()).toMatchObject({ firstEvent: null, statistics: { joins: 0 } });
  });

  it('refutes all 50 once each when they share it inside one transaction each', () => {
    const trace = new DirectTrace(edge);
    for (let thread = 0; thread < 50; thread++) trace.add(thread, 'begin');
    for (let i = 0; i < THREADS; i++) trace.add(i % 50, 'acquire').add(i % 50, 'release');
    // Thread 0 takes the lock again after all the others had it.
    expect(trace.outcome().firstEvent).toBe(50 + 2 * 50 + 1);
    expect(trace.violations.map(({ thread }) => thread)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('refutes 10,000 nested blocks of one thread one by one', () => {
    const trace = new DirectTrace(edge);
    for (let i = 0; i < NESTED; i++) trace.add(0, 'begin', i).add(0, 'write', i);
    for (let i = 0; i < NESTED; i++)
      trace
        .add(1, 'read', i)
        .add(1, 'write', NESTED + i)
        .add(0, 'read', NESTED + i);
    trace.outcome();
    expect(trace.violations.map(({ block }) => block!.label)).toEqual(
      Array.from({ length: NESTED }, (_, i) => i),
    );
  });
});

/** Threads 0 to NESTED - 1, each forked by the one before inside a block that stays open. */
function nestedForks(description: AnalysisDescription): DirectTrace {
  const trace = new DirectTrace(description);
  for (let thread = 0; thread < NESTED; thread++) {
    trace.add(thread, 'begin').add(thread, 'write', 0);
    if (thread + 1 < NESTED) trace.add(thread, 'fork', thread + 1);
  }
  return trace;
}
