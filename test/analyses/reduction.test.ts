import { describe, expect, it } from 'vitest';
import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { reduction } from '../../src/analyses/reduction/index.ts';
import { Reduction } from '../../src/analyses/reduction/reduction.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { isReceipt, Op } from '../../src/trace/operation.ts';
import { tryInterleavings } from '../oracle/interleavings.ts';
import { fuzzRuns, hasNoComplaint, seeded } from '../support/comparing.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { events, trace } from '../support/notation.ts';
import { type ProgramShape, randomProgram } from '../support/random-programs.ts';
import { randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

/** What is reported, as `label: commit point-step that comes too late`. */
function reports(notation: string, forkJoin: ForkJoin = 'edge'): string[] {
  const given = trace(notation);
  return run(reduction, given, { forkJoin }).violations.map(({ block, event, related }) => {
    const commit = related!.find(({ role }) => role === 'commit point')!;
    return `${given.names.labels.text(block!.label)}: ${commit.event}-${event}`;
  });
}

describe('the record of a trace', () => {
  it('ends where there is too much, and the result says so', () => {
    const violations: number[] = [];
    const create = () =>
      new Reduction({ forkJoin: 'edge', report: ({ event }) => violations.push(event) }, 400);
    const stair = ['a', 'b', 'c', 'd', 'e'].map((lock) => `acq ${lock}, w x`).join(', ');
    const { outcome } = run({ ...reduction, create }, trace(`t1: begin A, ${stair}, end; t2: w x, w x`));
    expect(outcome.notes).toEqual([expect.stringMatching(/nothing after event \d was looked at/)]);
    expect(violations).toEqual([]);
  });
});

describe('accesses', () => {
  it('with a race do not move: a transaction has one of them', () => {
    expect(reports('t1: begin A, w x, w y, end; t2: w x, w y')).toEqual(['A: 2-3']);
    expect(reports('t1: begin A, w x, r z, end; t2: w x')).toEqual([]);
  });

  it('without a race move anywhere, as a lock is always held', () => {
    const guarded = 't1: begin A, acq l, w x, w y, rel l, end; t2: acq l, w x, w y, rel l';
    expect(reports(guarded)).toEqual([]);
    expect(reports(guarded.replaceAll('acq l, w x, w y, rel l', 'acq l, w x, rel l, w y'))).toEqual([
      'A: 4-5',
    ]);
  });

  it('need no lock that all of them hold, as long as every two that conflict hold one', () => {
    const pairs =
      't1: begin A, acq l, acq m, w x, w x, rel m, rel l, end; t2: acq l, r x, rel l; t3: acq m, r x, rel m';
    expect(reports(pairs)).toEqual([]);
    expect(reports(pairs.replace('t3: acq m, r x', 't3: acq m, w x'))).toEqual(['A: 4-5']);
  });

  it.each(['r', 'u'])('move if all of them are %s', (op) => {
    expect(reports(`t1: begin A, ${op} x, ${op} y, end; t2: ${op} x, ${op} y`)).toEqual([]);
    expect(reports(`t1: begin A, ${op} x, ${op} y, end; t2: w x, w y`)).toEqual(['A: 2-3']);
  });

  it('of a variable with a race do not move even where they do not race themselves', () => {
    // Wang and Stoller §6.1: commit nodes tell that this is atomic, as does trying all schedules.
    const counting = 't1: begin A, r x, w x, end; t2: begin B, r x, end';
    expect(reports(counting)).toEqual(['A: 2-3']);
    expect(tryInterleavings(events(counting))).toMatchObject({ conflictAtomic: true, deadlocks: false });
  });

  it('move if forks and joins keep all other threads away', () => {
    const setUp = 't1: begin A, w x, w y, end, fork t2, fork t3; t2: w x, w y; t3: r x, r y';
    expect(reports(setUp)).toEqual([]);
    expect(reports('t1: fork t2, r z; t2: w x, w y; t1: join t2, begin A, w x, w y, end')).toEqual([]);
    expect(reports('t1: fork t2, begin A, w x, w y, end; t2: w x, w y; t1: join t2')).toEqual(['A: 3-4']);
  });

  it('are told by all of the trace, whatever comes first', () => {
    expect(reports('t2: w x, w y; t1: begin A, w x, w y, end')).toEqual(['A: 4-5']);
    expect(reports('t1: begin A, w x, w y, end, begin B, r x, end; t2: w x, w y')).toEqual(['A: 2-3']);
  });

  it('after the commit point in the third repetition are found as well', () => {
    const many = 't1: begin A, r x, r x, r x, r x, end; t2: w x';
    expect(reports(many)).toEqual(['A: 2-3']);
  });
});

describe('locks', () => {
  it('are acquired before the commit point and released after it', () => {
    const nested = 'begin A, acq l, acq m, w x, rel m, w y, rel l, end';
    expect(reports(`t1: ${nested}; t2: acq l, acq m, w x, rel m, w y, rel l`)).toEqual([]);
  });

  it('are not acquired again after one was released', () => {
    const twice = 'acq l, r x, rel l, acq l, w x, rel l';
    expect(reports(`t1: begin A, ${twice}, end; t2: begin B, ${twice}, end`)).toEqual(['A: 4-5', 'B: 12-13']);
  });

  it('may be used again by the only thread that uses them', () => {
    const own = 't1: begin A, acq l, w x, rel l, acq l, w x, rel l, end';
    expect(reports(`${own}; t2: r y`)).toEqual([]);
    expect(reports(`${own}; t2: acq l, w x, rel l`)).toEqual(['A: 4-5']);
  });

  it('may be used again where forks and joins keep the other thread away', () => {
    const after = 'begin A, acq l, w x, rel l, acq l, w x, rel l, end';
    expect(reports(`t1: fork t2; t2: acq l, w x, rel l; t1: join t2, ${after}`)).toEqual([]);
    expect(reports(`t1: fork t2; t2: acq l, w x, rel l; t1: ${after}, join t2`)).toEqual(['A: 8-9']);
  });

  it('may be used again under a lock that all threads hold around them', () => {
    const inner = 'acq l, r x, rel l, acq l, w x, rel l';
    expect(reports(`t1: begin A, acq g, ${inner}, rel g, end; t2: acq g, ${inner}, rel g`)).toEqual([]);
    expect(reports(`t1: begin A, acq g, ${inner}, rel g, end; t2: ${inner}`)).toEqual(['A: 5-6']);
  });

  it('may be acquired after the commit point under such a lock', () => {
    const inner = 'acq g, w z, acq l, w x, rel l, rel g';
    expect(reports(`t1: begin A, ${inner}, end; t2: ${inner}; t3: r z`)).toEqual([]);
    expect(reports(`t1: begin A, ${inner}, end; t2: ${inner}; t3: r z, acq l, rel l`)).toEqual(['A: 3-4']);
  });

  it('are not protected by a lock that is released before them', () => {
    const handedOver = 'acq g, acq l, rel g, w x, rel l';
    const twice = `t1: begin A, ${handedOver}, ${handedOver}, end; t2: ${handedOver}`;
    expect(reports(twice)).toEqual(['A: 4-7']);
  });

  it('may be acquired more than once', () => {
    const again = 'acq l, r x, acq l, w x, rel l, rel l';
    expect(reports(`t1: begin A, ${again}, end; t2: begin B, ${again}, end`)).toEqual([]);
  });
});

describe('a lock around nothing that others could notice', () => {
  const work = 'acq m, w x, rel m';
  const other = `t2: begin B, acq l, rel l, ${work}, end`;

  it('moves as a whole', () => {
    const empty = 'acq l, r own, rel l';
    expect(reports(`t1: begin A, ${empty}, ${work}, ${empty}, end; ${other}`)).toEqual([]);
    expect(reports(`t1: begin A, acq l, r x, rel l, ${work}, end; ${other}`)).toEqual(['A: 3-5']);
  });

  it('may be around others like it', () => {
    const nested = 'acq l, acq k, rel k, r own, rel l';
    expect(reports(`t1: begin A, ${work}, ${nested}, end; ${other}; t3: begin C, acq k, rel k, end`)).toEqual(
      [],
    );
  });

  it('has to be around all of the others', () => {
    const crossed = 'acq l, acq k, rel l, rel k';
    expect(
      reports(`t1: begin A, ${work}, ${crossed}, end; ${other}; t3: begin C, acq k, rel k, end`),
    ).toEqual(['A: 4-5']);
  });

  it('does not if some thread holds the lock outside its blocks', () => {
    // Here t2 may hold l around both its reads, with the write between them: there is no place for the whole of A.
    const program = 't1: begin A, acq l, rel l, w x, end; t2: acq l, r x, r x, rel l';
    expect(reports(program)).toEqual(['A: 3-4']);
    expect(tryInterleavings(events(program)).conflictAtomic).toBe(false);
    expect(reports('t1: begin A, acq l, rel l, w x, end; t2: begin B, acq l, r x, rel l, end')).toEqual([]);
  });

  it('does not if some thread holds the lock from one block to the next', () => {
    const program =
      't1: begin A, acq l, rel l, w x, end; t2: begin B, acq l, r x, end, begin C, r x, rel l, end';
    expect(reports(program)).toEqual(['A: 3-4']);
    expect(tryInterleavings(events(program)).conflictAtomic).toBe(false);
  });

  it('does not if such a lock is inside it, even one that is used under this lock only', () => {
    const program =
      't1: begin A, acq l, acq k, rel k, rel l, w x, end; ' +
      't2: begin B, acq l, acq k, rel l, end, r x, r x, begin C, acq l, rel k, rel l, end';
    expect(reports(program)).toEqual(['A: 5-6']);
    expect(tryInterleavings(events(program))).toMatchObject({ conflictAtomic: false });
  });
});

describe('forks and joins', () => {
  it('let a transaction fork after its commit point and join before it', () => {
    expect(reports('t1: begin A, w x, fork c, end; c: w y; t2: w x, w y')).toEqual([]);
    expect(reports('c: w y; t1: begin A, join c, w x, end; t2: w x, w y')).toEqual([]);
  });

  it('do not let it work with others after a fork or before a join', () => {
    expect(reports('t1: begin A, fork c, w x, end; c: w y; t2: w x, w y')).toEqual(['A: 2-3']);
    expect(reports('c: w y; t1: begin A, w x, join c, end; t2: w x, w y')).toEqual(['A: 3-4']);
  });

  it('do not let it wait for a thread that it forked', () => {
    expect(reports('t1: begin A, fork c; c: r y; t1: join c, end')).toEqual(['A: 2-4']);
    expect(reports('t1: begin A, fork c, join c, end')).toEqual([]);
  });

  it('end the transaction where they are boundaries', () => {
    const both = 't1: begin A, w x, fork c, w x, end; c: r y; t2: w x';
    expect(reports(both)).toEqual(['A: 2-4']);
    expect(reports(both, 'boundary')).toEqual([]);
    expect(reports(both.replace('w x, end', 'w x, w x, end'), 'boundary')).toEqual(['A: 4-5']);
  });
});

describe('what reduction reports', () => {
  it('is the transaction, its commit point, the step that comes too late and what races with them', () => {
    const given = trace('t2: w x; t1: begin A, begin B, r x, end, w x, end');
    const { violations, outcome } = run(reduction, given);
    expect(violations).toEqual([
      {
        kind: 'reduction',
        event: 6,
        thread: given.names.threads.internText('t1'),
        block: { label: given.names.labels.internText('A'), begin: 2, depth: 0 },
        related: [
          { event: 1, role: 'access that races with it' },
          { event: 4, role: 'commit point' },
          { event: 6, role: 'non-mover after the commit point' },
        ],
      },
    ]);
    expect(outcome).toMatchObject({
      serializable: null,
      firstEvent: null,
      statistics: { units: 1, violated: 1 },
    });
  });

  it('says if what comes too late is an acquire', () => {
    const { violations } = run(
      reduction,
      trace('t1: begin A, acq l, r x, rel l, acq l, r x, rel l, end; t2: acq l, w x, rel l'),
    );
    expect(violations[0].related).toEqual([
      { event: 4, role: 'commit point' },
      { event: 5, role: 'right-mover after the commit point' },
    ]);
  });

  it('is each transaction once, in the order in which they go wrong', () => {
    const same = 'r x, w x, w x';
    expect(
      reports(`t1: begin A; t2: begin B, ${same}, end; t1: ${same}, end, begin A, ${same}, end`),
    ).toEqual(['B: 3-4', 'A: 7-8', 'A: 12-13']);
  });

  it('is what is open when the trace ends, too', () => {
    expect(reports('t1: begin A, w x, w x; t2: w x')).toEqual(['A: 2-3']);
  });
});

describe('many short threads', () => {
  it('that share what they read cost no more than they do', () => {
    const threads = 30_000;
    const analysis = reduction.create({ forkJoin: 'edge', report: () => {} });
    let event = 0;
    analysis.write(0, 0, ++event);
    for (let child = 1; child <= threads; child++) analysis.fork(0, child, ++event);
    for (let child = 1; child <= threads; child++) {
      analysis.begin(child, 0, ++event);
      analysis.read(child, 0, ++event);
      analysis.read(child, 0, ++event);
      analysis.end(child, 0, ++event);
    }
    analysis.finish(event);
    expect(analysis.outcome().statistics).toMatchObject({ units: threads, violated: 0 });
  });
});

/** In no schedule may there be a violation if none is reported, unless one deadlocks. */
function complaint(forkJoin: 'edge' | 'boundary'): (given: readonly NamedEvent[]) => string | null {
  return (given) => {
    if (run(reduction, MemoryTrace.of(given), { forkJoin }).violations.length > 0) return null;
    const { conflictAtomic, deadlocks } = tryInterleavings(given, { forkJoin });
    return conflictAtomic || deadlocks
      ? null
      : 'it reports nothing, and there is a violation in some schedule';
  };
}

/** The number of each event in another trace of the same program. */
function numbersIn(other: readonly NamedEvent[], given: readonly NamedEvent[]): number[] {
  const places = new Map<string, number[]>();
  for (const [i, { thread }] of other.entries()) places.set(thread, [...(places.get(thread) ?? []), i + 1]);
  return given.map(({ thread }) => places.get(thread)!.shift()!);
}

describe('reduction and all schedules', () => {
  const runs = fuzzRuns(600);
  const timeout = 180_000 + runs * 10;
  const usual: ProgramShape = {
    threads: 2,
    variables: 2,
    locks: 2,
    units: 2,
    steps: 6,
    accesses: [Op.read, Op.write, Op.update],
    onlyBlocks: false,
    orderedLocks: true,
    nestedLocks: true,
    locksWithinUnits: true,
    forkJoin: false,
  };
  const shapes: readonly Partial<ProgramShape>[] = [
    { onlyBlocks: true },
    { variables: 1, locks: 1, accesses: [Op.read, Op.write] },
    { threads: 3, units: 1, steps: 4 },
    { nestedLocks: false, locksWithinUnits: false },
    { orderedLocks: false, locks: 3 },
    { forkJoin: true, steps: 5 },
    { forkJoin: true, threads: 3, units: 1, steps: 4, nestedLocks: false },
    { meetings: 1, steps: 4 },
    { meetings: 2, units: 1, steps: 4, accesses: [Op.read, Op.write] },
    { messages: 1, steps: 4 },
    { messages: 2, volatiles: 1, units: 1, steps: 3 },
  ];
  const program = (seed: number) => randomProgram(seed, { ...usual, ...shapes[seed % shapes.length] });
  const small = (seed: number) =>
    randomTrace(seed, { threads: 2 + (seed % 3), maxEvents: 12, variables: 1 + (seed % 2) });
  const scopes: readonly Scope[] = [
    { events: 5, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
    { events: 6, threads: 2, variables: 1, accesses: [Op.write] },
    { events: 5, threads: 2, variables: 1, accesses: [Op.write], forkJoin: true },
  ];

  it.each(scopes)('agree on every trace of $events events and $threads threads', { timeout }, (scope) => {
    hasNoComplaint(allTraces(scope), complaint('edge'));
  });

  it(`agree on ${runs} random programs`, { timeout }, () => {
    hasNoComplaint(seeded(runs, program), complaint('edge'));
  });

  it(`agree on ${runs} random traces`, { timeout }, () => {
    hasNoComplaint(seeded(runs, small), complaint('edge'));
  });

  it(`agree on ${runs} random traces with boundaries at forks and joins`, { timeout }, () => {
    hasNoComplaint(seeded(runs, small), complaint('boundary'));
  });

  it('agree on which transactions to report, whichever schedule was observed', { timeout }, () => {
    const steps = (given: readonly NamedEvent[]) =>
      run(reduction, MemoryTrace.of(given)).violations.map(({ block, event }) => [block!.begin, event]);
    for (const given of seeded(300, program)) {
      const byThread = [...given].sort((a, b) => (a.thread < b.thread ? -1 : a.thread > b.thread ? 1 : 0));
      // One thread after the other is a schedule too, unless locks are held for good or threads wait for others.
      if (given.some(({ op }) => op === Op.join || op === Op.leave || isReceipt(op))) continue;
      const numbers = numbersIn(byThread, given);
      const expected = steps(given).map((numbered) => numbered.map((number) => numbers[number - 1]));
      expect(new Set(steps(byThread).map(String))).toEqual(new Set(expected.map(String)));
    }
  });
});
