import { describe, expect, it } from 'vitest';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { allTraces } from '../support/exhaustive.ts';
import { printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { firstEvent, isSerializable, violatedBlocks, violatedFamilies } from './definitions.ts';
import type { Block } from './history.ts';
import { judge } from './oracle.ts';

const begins = (blocks: Block[]) => [...new Set(blocks.map((block) => block.begin))].sort((a, b) => a - b);

function compare(events: readonly NamedEvent[]): void {
  for (const forkJoin of ['edge', 'boundary'] as const) {
    const boundary = forkJoin === 'boundary';
    const blocks = violatedBlocks(events, boundary);
    expect(judge(events, { forkJoin }), `${forkJoin}: ${printEvents(events)}`).toEqual({
      serializable: isSerializable(events, boundary),
      firstEvent: firstEvent(events, boundary),
      violatedTransactions: begins(blocks.filter((block) => block.outermost)),
      violatedBlocks: begins(blocks),
    });
  }
  const families = violatedFamilies(events);
  expect(judge(events, { forkJoin: 'family' }), `family: ${printEvents(events)}`).toEqual({
    serializable: null,
    firstEvent: null,
    violatedTransactions: begins(families.filter((block) => block.outermost)),
    violatedBlocks: begins(families),
  });
}

describe('the oracle says what the definitions say, word for word', () => {
  it('on random traces', () => {
    for (let seed = 0; seed < 300; seed++) compare(randomTrace(seed, { maxEvents: 24 }));
  });

  it('on every small trace', () => {
    for (const events of allTraces({ events: 4, threads: 2, variables: 1, locks: 1, forkJoin: true }))
      compare(events);
  });
});

describe('what follows from the definitions', () => {
  it('a violated transaction makes the trace non-serializable', () => {
    for (let seed = 0; seed < 2000; seed++) {
      const { serializable, violatedTransactions } = judge(randomTrace(seed));
      if (serializable) expect(violatedTransactions).toEqual([]);
    }
  });

  it('a block around a violated block is violated', () => {
    for (let seed = 0; seed < 2000; seed++) {
      const { violatedBlocks, violatedTransactions } = judge(randomTrace(seed));
      expect(violatedTransactions.length > 0).toBe(violatedBlocks.length > 0);
    }
  });
});
