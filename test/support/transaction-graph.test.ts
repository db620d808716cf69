import { expect, it } from 'vitest';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { judge } from '../oracle/oracle.ts';
import { longTrace, withLeftOut } from './long-traces.ts';
import { printEvents } from './notation.ts';
import { randomTrace } from './random-traces.ts';
import { TransactionGraph } from './transaction-graph.ts';

/** The number of the first event that the graph refuses. */
function firstRefused(trace: MemoryTrace): number | null {
  const graph = new TransactionGraph();
  const wellFormedness = new WellFormedness(trace.names, { lenient: false });
  for (const batch of trace.copies()) {
    wellFormedness.check(batch);
    for (let i = 0; i < batch.length; i++)
      if (batch.op[i] !== Op.skip && !graph.accept(batch.thread[i], batch.op[i] as Op, batch.operand[i]))
        return batch.firstEvent + i;
  }
  return null;
}

it('refuses the event that the oracle calls the first', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const events = randomTrace(seed);
    const trace = MemoryTrace.of(events);
    expect(firstRefused(trace), printEvents(events)).toBe(judge(trace).firstEvent);
  }
});

it('gives long traces that are serializable, and events that would make them another', () => {
  const shape = { threads: 5, variables: 4, locks: 2, writes: 3, updates: 4, blockLength: 8, threadLife: 20 };
  for (let seed = 1; seed <= 10; seed++) {
    const long = longTrace(seed, { ...shape, events: 150 });
    expect(judge(long.trace).firstEvent).toBeNull();
    expect(long.leftOut).not.toHaveLength(0);
    for (const leftOut of long.leftOut)
      expect(judge(withLeftOut(long, leftOut)).firstEvent).toBe(leftOut.after + 1);
  }
});
