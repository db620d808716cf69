import { describe, expect, it } from 'vitest';
import { dispatch } from '../../src/analyses/dispatch.ts';
import { PreciseOrder } from '../../src/analyses/doublechecker/precise-order.ts';
import type { ConflictTracker } from '../../src/analyses/velodrome/tracker.ts';
import { Velodrome } from '../../src/analyses/velodrome/velodrome.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { checkGraph } from './graph-invariants.ts';

const context = { forkJoin: 'edge', report: () => {} } as const;

/** Shows a trace to a tracker and calls `afterEach` after every event. */
function step(tracker: ConflictTracker, events: readonly NamedEvent[], afterEach: () => void): void {
  const trace = MemoryTrace.of(events);
  const wellFormedness = new WellFormedness(trace.names, { lenient: false });
  for (const batch of trace.copies()) {
    wellFormedness.check(batch);
    for (let i = 0; i < batch.length; i++) {
      const single = new EventBatch(1);
      single.firstEvent = batch.firstEvent + i;
      single.push(batch.thread[i], batch.op[i], batch.operand[i], 0, 0);
      dispatch(single, tracker);
      afterEach();
    }
  }
}

function checkRandomTraces(create: () => ConflictTracker, options: { acyclic: boolean }): void {
  for (let seed = 0; seed < 600; seed++) {
    const events = randomTrace(seed, { maxEvents: 60 });
    const tracker = create();
    try {
      step(tracker, events, () => checkGraph(tracker.graph, options));
    } catch (error) {
      throw new Error(`randomTrace(${seed}): ${printEvents(events)}`, { cause: error });
    }
  }
}

describe('the transaction graph, after every event of random traces', () => {
  it('of Velodrome', () => {
    checkRandomTraces(() => new Velodrome(context, { merging: true, compactAbove: 4 }), { acyclic: true });
  });

  it('of Velodrome without merging', () => {
    checkRandomTraces(() => new Velodrome(context, { merging: false, compactAbove: 4 }), { acyclic: true });
  });

  it('of Velodrome when it compacts all the time', () => {
    const compactAbove = Number.NEGATIVE_INFINITY;
    checkRandomTraces(() => new Velodrome(context, { merging: true, compactAbove }), { acyclic: true });
  });

  it('of DoubleChecker, which keeps cycles', () => {
    checkRandomTraces(() => new PreciseOrder(() => {}), { acyclic: false });
  });
});

describe('checkGraph', () => {
  it('sees a root that is missing', () => {
    const tracker = new Velodrome(context, { merging: true, compactAbove: 4 });
    tracker.begin(0, 0, 1);
    tracker.write(0, 0, 2);
    tracker.begin(1, 0, 3);
    tracker.read(1, 0, 4);
    checkGraph(tracker.graph, { acyclic: true });
    tracker.graph.roots.leave(tracker.graph.newest[1]);
    expect(() => checkGraph(tracker.graph, { acyclic: true })).toThrow('is a root of');
  });
});
