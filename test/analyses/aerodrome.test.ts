import { describe, expect, it } from 'vitest';
import { aerodrome } from '../../src/analyses/aerodrome/index.ts';
import { aerodromeBasic } from '../../src/analyses/aerodrome-basic/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { FUZZ_SEED, fuzzRuns, hasNoComplaint, seeded } from '../support/comparing.ts';
import { trace } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

/** What it reports, with names in place of ids. */
function report(notation: string) {
  const given = trace(notation);
  return run(aerodrome, given).violations.map(({ kind, event, thread, block }) => ({
    kind,
    event,
    thread: given.names.threads.text(thread),
    block: block && `${given.names.labels.text(block.label)} at ${block.begin}`,
  }));
}

describe('what aerodrome reports', () => {
  it('is the transaction that learns at an event that its own begin precedes', () => {
    expect(report('t1: r y, begin A, begin B, r x; t2: w x; t1: w x, end, end')).toEqual([
      { kind: 'trace', event: 6, thread: 't1', block: 'A at 2' },
    ]);
  });

  it('may be at the end of one transaction, and then is another that precedes it', () => {
    expect(report('t1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x; t1: end')).toEqual([
      { kind: 'trace', event: 7, thread: 't2', block: 'B at 3' },
    ]);
  });

  it('may be at the end of a transaction that precedes the other through a third', () => {
    const knots = 't1: begin A, w a; t2: r a, begin B, w b; t3: begin C, w c, r b; t1: r c';
    expect(report(`${knots}, end`)).toEqual([{ kind: 'trace', event: 10, thread: 't3', block: 'C at 6' }]);
    expect(report(`${knots.replace('t1: r c', 't1: r d')}, end`)).toEqual([]);
  });

  it('may be at the end of the trace, where open transactions end', () => {
    expect(report('t1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x')).toMatchObject([{ event: 6 }]);
  });

  it('may be at a join of a thread that left its block open', () => {
    expect(report('t1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x; t3: join t1, r z')).toMatchObject([
      { event: 7, thread: 't2' },
    ]);
  });

  it('is only the first', () => {
    const twice = 't1: begin A, r x; t2: w x; t1: w x, end, begin B, r x; t2: w x; t1: w x, end';
    expect(report(twice)).toHaveLength(1);
  });
});

describe('aerodrome and Algorithm 1 as printed', () => {
  const runs = fuzzRuns(400);

  it(`fall at the same event, on ${runs} random traces from seed ${FUZZ_SEED}`, {
    timeout: 180_000 + runs * 5,
  }, () => {
    hasNoComplaint(seeded(runs, randomTrace), (events) => {
      // There the end is known earlier than Algorithm 1 looks for it.
      if (joinsOpenBlock(events)) return null;
      const [ours, printed] = [aerodrome, aerodromeBasic].map(
        (description) => run(description, MemoryTrace.of(events)).outcome.firstEvent,
      );
      return ours === printed ? null : `ours falls at ${ours}, the printed one at ${printed}`;
    });
  });
});

function joinsOpenBlock(events: readonly NamedEvent[]): boolean {
  const open = new Map<string, number>();
  for (const { thread, op, operand } of events) {
    if (op === Op.begin) open.set(thread, (open.get(thread) ?? 0) + 1);
    if (op === Op.end) open.set(thread, open.get(thread)! - 1);
    if (op === Op.join && (open.get(operand) ?? 0) > 0) return true;
  }
  return false;
}
