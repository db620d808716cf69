import { describe, expect, it } from 'vitest';
import type { ForkJoin, ViolationFact } from '../../src/analyses/analysis.ts';
import { Neighbourhoods, type Subtrace, smallestSubtrace } from '../../src/explain/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { isAccess, Op } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { print, printEvents, trace } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { Defined } from './definitions.ts';
import { explainIn } from './support.ts';

/** The smallest sub-trace of each violation. */
function subtracesIn(
  observed: MemoryTrace,
  violations: readonly ViolationFact[],
  forkJoin: ForkJoin = 'edge',
): (Subtrace | null)[] {
  const explanations = explainIn(observed, violations, { forkJoin });
  const neighbourhoods = new Neighbourhoods(explanations, forkJoin);
  const wellFormedness = new WellFormedness(observed.names, { lenient: false });
  for (const batch of observed.copies()) {
    wellFormedness.check(batch);
    if (!neighbourhoods.look(batch)) break;
  }
  return explanations.map(({ witness }) =>
    witness === null ? null : smallestSubtrace(witness, neighbourhoods, observed.names, forkJoin),
  );
}

/** What is left of a trace, by the first block that is violated in it. */
function smallest(notation: string, forkJoin: ForkJoin = 'edge'): string {
  const observed = trace(notation);
  const [violation] = new Defined([...observed.events()], forkJoin).violatedBlocks();
  const [subtrace] = subtracesIn(observed, [violation], forkJoin);
  return subtrace === null ? 'nothing' : print(subtrace.trace);
}

describe('the smallest sub-trace of a violated block', () => {
  it('has the three accesses that tell the story, and the block', () => {
    const small = smallest(`
      t1: w y, begin A, r x, w z
      t2: begin B, w x, r y, end
      t1: w x, end, r z`);
    expect(small).toBe('t1: begin A, r x; t2: w x; t1: w x, end');
  });

  it('has whole sections of locks, where locks are all there is', () => {
    const small = smallest(`
      t1: begin A, acq l, w x, rel l
      t2: acq l, w y, rel l
      t1: acq l, w z, rel l, end`);
    expect(small).toBe('t1: begin A, acq l, rel l; t2: acq l, rel l; t1: acq l, rel l, end');
  });

  it('has the inner block alone, where that is the violated one', () => {
    const small = smallest('t1: begin A, w y, begin B, w x; t2: r x; t1: w x, end, end');
    expect(small).toBe('t1: begin B, w x; t2: r x; t1: w x, end');
  });

  it('keeps the forks that say who belongs to a family', () => {
    const small = smallest('t1: begin A, w y, fork c; c: r x; t2: w x; c: w x; t1: end', 'family');
    expect(small).toBe('t1: begin A, fork c; c: r x; t2: w x; c: w x; t1: end');
  });

  it('has everybody in a round of a barrier, or nobody', () => {
    const small = smallest(`
      t1: begin A, w x, arrive b
      t2: arrive b, leave b, w y
      t3: arrive b
      t1: leave b, r y, end
      t3: leave b`);
    expect(small).toBe('t1: begin A, arrive b; t2: arrive b, leave b, w y; t1: leave b, r y, end');
  });

  it('has what sent a message that is received', () => {
    const small = smallest('t3: send m; t1: begin A, w y, fork c; c: receive m; t1: join c, end');
    expect(small).toBe('t3: send m; t1: begin A, fork c; c: receive m; t1: join c, end');
  });

  it('keeps the locations and forgets every other name', () => {
    const events: NamedEvent[] = [
      { thread: 't0', op: Op.write, operand: 'unused', location: 'other.js:1' },
      { thread: 't1', op: Op.begin, operand: 'A', location: 'a.js:1' },
      { thread: 't1', op: Op.read, operand: 'x', location: 'a.js:2' },
      { thread: 't2', op: Op.write, operand: 'x', location: '7' },
      { thread: 't1', op: Op.write, operand: 'x', location: null },
      { thread: 't1', op: Op.end, operand: 'A', location: 'a.js:4' },
    ];
    const [subtrace] = subtracesIn(MemoryTrace.of(events), new Defined(events, 'edge').violatedBlocks());
    expect([...subtrace!.trace.events()]).toEqual(events.slice(1));
    expect(subtrace).toMatchObject({ events: [2, 3, 4, 5, 6], event: 4, minimal: true });
    expect(subtrace!.trace.names.variables.size).toBe(1);
  });
});

describe('the smallest sub-trace of a cycle of transactions', () => {
  it('has the transactions that cannot be put in order', () => {
    const observed = trace(`
      t3: w z
      t1: begin A
      t2: begin B
      t1: w x
      t2: w y, r z
      t1: r y
      t2: r x, end
      t1: end`);
    const [subtrace] = subtracesIn(observed, new Defined([...observed.events()], 'edge').firstCycle(false));
    expect(subtrace!.events).toEqual([2, 3, 4, 5, 7, 8, 9, 10]);
  });
});

/** By the definitions: whether these events, some of those of a trace, show its violation. */
function shows(events: readonly NamedEvent[], begin: number, isBlock: boolean, forkJoin: ForkJoin): boolean {
  const defined = new Defined(events, forkJoin);
  return isBlock
    ? defined.violatedBlocks().some(({ block }) => block?.begin === begin)
    : defined.firstCycle(false).length > 0;
}

/** What is wrong with a sub-trace, or null. */
function complaint(
  events: readonly NamedEvent[],
  { block }: ViolationFact,
  subtrace: Subtrace | null,
  isBlock: boolean,
  forkJoin: ForkJoin,
): string | null {
  if (subtrace === null) return 'there is none';
  const chosen = subtrace.events.map((event) => events[event - 1]);
  if (printEvents(chosen) !== printEvents([...subtrace.trace.events()])) return 'it is no part of the trace';
  if (subtrace.events.some((event, i) => i > 0 && event <= subtrace.events[i - 1]))
    return 'it is out of order';
  // Throws if it is not well-formed.
  for (const batch of subtrace.trace.copies())
    new WellFormedness(subtrace.trace.names, { lenient: false }).check(batch);
  const begin = isBlock ? subtrace.events.indexOf(block!.begin) + 1 : 0;
  if (!shows(chosen, begin, isBlock, forkJoin)) return 'it does not show the violation';
  for (const [i, { op }] of chosen.entries()) {
    const isFree = isAccess(op);
    if (isFree && shows(chosen.toSpliced(i, 1), i < begin ? begin - 1 : begin, isBlock, forkJoin))
      return `event ${i + 1} can be left out`;
  }
  return null;
}

describe.each(['edge', 'boundary', 'family'] as const)('on random traces, --fork-join %s,', (forkJoin) => {
  it('every violated block has one: well-formed, violated, and nothing can be left out', () => {
    let found = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const events = randomTrace(seed);
      const violations = new Defined(events, forkJoin).violatedBlocks();
      const subtraces = subtracesIn(MemoryTrace.of(events), violations, forkJoin);
      for (const [i, violation] of violations.entries()) {
        const wrong = complaint(events, violation, subtraces[i], true, forkJoin);
        expect(wrong, `${seed}\n${printEvents(events)}\n${JSON.stringify(violation)}`).toBeNull();
        found++;
      }
    }
    expect(found).toBeGreaterThan(100);
  });
});

describe.each(['edge', 'boundary'] as const)('on random traces, --fork-join %s,', (forkJoin) => {
  it('every first cycle has one: well-formed, not serializable, and nothing can be left out', () => {
    let found = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const events = randomTrace(seed, { threads: 5, maxEvents: 40 });
      const violations = new Defined(events, forkJoin).firstCycle(false);
      const subtraces = subtracesIn(MemoryTrace.of(events), violations, forkJoin);
      for (const [i, violation] of violations.entries()) {
        const wrong = complaint(events, violation, subtraces[i], false, forkJoin);
        expect(wrong, `${seed}\n${printEvents(events)}\n${JSON.stringify(violation)}`).toBeNull();
        found++;
      }
    }
    expect(found).toBeGreaterThan(50);
  });
});
