import { describe, expect, it } from 'vitest';
import type { ForkJoin, ViolationFact } from '../../src/analyses/analysis.ts';
import { BlockBased, USUAL_LIMITS } from '../../src/analyses/block/block.ts';
import { block } from '../../src/analyses/block/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { tryInterleavings } from '../oracle/interleavings.ts';
import { fuzzRuns, hasNoComplaint, seeded, TAKES_LARGER_SCOPES } from '../support/comparing.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { events, trace } from '../support/notation.ts';
import { type ProgramShape, randomProgram } from '../support/random-programs.ts';
import { run } from '../support/run.ts';

/** A report as `first access-accesses between-second access`. */
function story({ related }: ViolationFact): string {
  const withRole = (role: string) =>
    related!.flatMap((other) => (other.role === role ? [other.event] : [])).join(',');
  return `${withRole('first access')}-${withRole('access between')}-${withRole('second access')}`;
}

function reports(notation: string, forkJoin: ForkJoin = 'edge'): string[] {
  const given = trace(notation);
  return run(block, given, { forkJoin }).violations.map(
    (violation) => `${given.names.labels.text(violation.block!.label)}: ${story(violation)}`,
  );
}

describe('two accesses of one variable', () => {
  it.each([
    ['r', 'w', 'w'],
    ['w', 'w', 'r'],
    ['r', 'w', 'r'],
    ['w', 'r', 'w'],
    ['r', 'u', 'r'],
    ['u', 'r', 'u'],
    ['w', 'u', 'r'],
    ['u', 'w', 'u'],
    ['r', 'w', 'u'],
    ['u', 'w', 'r'],
  ])('%s and %s between them and %s have no serial order', (first, between, last) => {
    expect(reports(`t1: begin A, ${first} x, ${last} x, end; t2: ${between} x`)).toEqual(['A: 2-5-3']);
    expect(reports(`t2: ${between} x; t1: begin A, ${first} x, ${last} x, end`)).toEqual(['A: 3-1-4']);
  });

  it.each([
    ['r', 'r', 'w'],
    ['r', 'r', 'r'],
    ['w', 'r', 'r'],
    ['u', 'u', 'u'],
    ['u', 'u', 'r'],
    ['u', 'r', 'r'],
    ['r', 'u', 'u'],
    ['w', 'u', 'w'],
  ])('%s and %s between them and %s have one', (first, between, last) => {
    expect(reports(`t1: begin A, ${first} x, ${last} x, end; t2: ${between} x`)).toEqual([]);
  });

  it('that both write and another write between them have the view of a serial order', () => {
    // Wang and Stoller §2: view-atomic, but not conflict-atomic. Commit nodes for conflicts report it.
    const writes = 't1: begin A, w x, w x, end; t2: begin B, w x, end';
    expect(reports(writes)).toEqual([]);
    expect(tryInterleavings(events(writes))).toMatchObject({ viewAtomic: true, conflictAtomic: false });
  });

  it('of which reduction says that they do not move may be atomic', () => {
    expect(reports('t1: begin A, r x, w x, end; t2: begin B, r x, end')).toEqual([]);
  });

  it('are looked at wherever they are in a long transaction', () => {
    const long = 'r y, r x, r y, r y, r y, w z, w x, w z, w z, w z';
    expect(reports(`t1: begin A, ${long}, end; t2: w x`)).toEqual(['A: 3-13-8']);
  });
});

describe('locks', () => {
  it('that are held all the time keep others away', () => {
    expect(reports('t1: begin A, acq l, r x, w x, rel l, end; t2: acq l, w x, rel l')).toEqual([]);
    expect(reports('t1: begin A, acq l, r x, w x, rel l, end; t2: acq m, w x, rel m')).toEqual(['A: 3-8-4']);
  });

  it('that are released in between do not', () => {
    const twice = 'acq l, r x, rel l, acq l, w x, rel l';
    expect(reports(`t1: begin A, ${twice}, end; t2: acq l, w x, rel l`)).toEqual(['A: 3-10-6']);
    expect(reports(`t1: begin A, acq g, ${twice}, rel g, end; t2: acq g, ${twice}, rel g`)).toEqual([]);
  });

  it('that the transaction was begun under keep others away as well', () => {
    expect(reports('t1: acq l, begin A, r x, w x, end, rel l; t2: acq l, w x, rel l')).toEqual([]);
    expect(reports('t1: acq l, begin A, r x, rel l, w x, end; t2: acq l, w x, rel l')).toEqual(['A: 3-8-5']);
  });

  it('keep the other from coming between if it needs them between its own accesses', () => {
    const reader = 'begin A, acq l, r x, r y, rel l, end';
    // The reader may come between the two writes, but the writer not between the two reads.
    expect(reports(`t1: ${reader}; t2: begin B, w x, acq l, rel l, w y, end`)).toEqual(['B: 8-3,4-11']);
    expect(reports(`t1: ${reader}; t2: begin B, w x, acq m, rel m, w y, end`)).toEqual([
      'A: 3-8,11-4',
      'B: 8-3,4-11',
    ]);
  });
});

describe('two variables', () => {
  it('are seen half changed', () => {
    const move = 't1: begin A, r x, r y, end; t2: begin B, w x, w y, end';
    expect(reports(move)).toEqual(['A: 2-6,7-3', 'B: 6-2,3-7']);
    expect(reports(move.replace('t1: begin A, r x, r y, end', 't1: r x, r y'))).toEqual([]);
  });

  it('get one half of each change', () => {
    expect(reports('t1: begin A, w x, w y, end; t2: begin B, w x, w y, end')).toEqual([
      'A: 2-6,7-3',
      'B: 6-2,3-7',
    ]);
    expect(reports('t1: begin A, u x, u y, end; t2: begin B, u x, u y, end')).toEqual([]);
  });

  it('take crossed accesses, each in the middle of the other transaction', () => {
    expect(reports('t1: begin A, r x, w y, end; t2: begin B, r y, w x, end')).toEqual([
      'A: 2-6,7-3',
      'B: 6-2,3-7',
    ]);
  });

  it('are not looked at where one is enough', () => {
    const both = 't1: begin A, r x, r y, w x, w y, end; t2: begin B, w x, end; t3: begin C, w x, w y, end';
    expect(reports(both)).toEqual(['A: 2-8-4', 'A: 3-12-5', 'C: 11-2,3-12']);
  });
});

describe('three transactions', () => {
  it('that break what two of them cannot are not found', () => {
    // Each two share one variable and access it once, so that commit nodes report a cycle and blocks do not.
    const ring = 't1: begin A, w x, r z, end; t2: begin B, r x, w y, end; t3: begin C, r y, w z, end';
    expect(reports(ring)).toEqual([]);
    expect(tryInterleavings(events(ring))).toMatchObject({ viewAtomic: false, deadlocks: false });
  });

  it('of which one has two commit nodes may be atomic', () => {
    const fan = 't1: begin A, w x, w y, end; t2: begin B, r x, end; t3: begin C, r y, end';
    expect(reports(fan)).toEqual([]);
    expect(tryInterleavings(events(fan)).viewAtomic).toBe(true);
  });
});

describe('forks and joins', () => {
  it('keep a transaction from those before its thread was forked and after it was joined', () => {
    expect(reports('t1: w x, fork c; c: begin A, r x, w x, end; t1: join c, w x')).toEqual([]);
    expect(reports('t1: fork c, w x; c: begin A, r x, w x, end; t1: join c')).toEqual(['A: 4-2-5']);
  });

  it('inside a transaction order its accesses', () => {
    const reader = 't3: r x, r y';
    expect(reports(`t1: begin A, r x, w x, fork c, r y, end; c: w x, w y; ${reader}`)).toEqual([]);
    expect(reports(`t1: begin A, r x, fork c, w x, r y, end; c: w x, w y; ${reader}`)).toEqual(['A: 2-7-4']);
    expect(reports(`t1: fork c, begin A, r y; c: w x, w y; t1: join c, r x, w x, end; ${reader}`)).toEqual(
      [],
    );
    expect(reports(`t1: fork c, begin A, r x; c: w x, w y; t1: join c, r y, w x, end; ${reader}`)).toEqual([
      'A: 3-4-8',
    ]);
  });

  it('may keep one thread away from such a transaction and not another that does the same', () => {
    const given = 't1: begin A, r x, fork b, w x, end, fork c; b: w x; c: w x; t3: r x';
    expect(reports(given)).toEqual(['A: 2-7-4']);
    expect(reports(given.replace('b: w x; ', 'b: r z; '))).toEqual([]);
  });

  it('end the transaction where they are boundaries', () => {
    const cut = 't1: begin A, r x, fork c, w x, end; c: r y; t2: w x';
    expect(reports(cut)).toEqual(['A: 2-7-4']);
    expect(reports(cut, 'boundary')).toEqual([]);
  });
});

describe('what block reports', () => {
  it('is the transaction that is broken and the accesses that break it, in the order of the trace', () => {
    const given = trace('t2: w x; t1: begin A, begin B, r x, end, w x, end');
    const { violations, outcome } = run(block, given);
    expect(violations).toEqual([
      {
        kind: 'block',
        event: 6,
        thread: given.names.threads.internText('t1'),
        block: { label: given.names.labels.internText('A'), begin: 2, depth: 0 },
        related: [
          { event: 1, role: 'access between' },
          { event: 4, role: 'first access' },
          { event: 6, role: 'second access' },
        ],
      },
    ]);
    expect(outcome).toMatchObject({ serializable: null, firstEvent: null });
  });

  it('is one report for transactions of a label that go wrong in the same way', () => {
    const same = 'begin A, r x, w x, end';
    expect(reports(`t1: ${same}, ${same}; t2: ${same}; t3: w x`)).toEqual(['A: 2-11-3']);
    expect(reports(`t1: ${same}, begin B, r x, w x, end; t2: w x`)).toEqual(['A: 2-9-3', 'B: 6-9-7']);
  });

  it('names units that may run at the same time', () => {
    const same = 'begin A, r x, w x, end';
    expect(reports(`t1: ${same}, fork t2, fork t3; t2: ${same}; t3: w x`)).toEqual(['A: 8-11-9']);
  });
});

describe('many transactions', () => {
  it('of different shapes are told apart', () => {
    const shapes = 150;
    const variables = Array.from({ length: shapes }, (_, i) => `w x${i}`);
    const units = variables.map((_, i) => `begin A, ${variables.slice(0, i + 1).join(', ')}, end`);
    const given = trace(`t1: ${units.join(', ')}, ${units.join(', ')}; t2: ${variables.join(', ')}`);
    expect(run(block, given).outcome.statistics).toMatchObject({ units: 2 * shapes, shapes });
  });
});

describe('the limits', () => {
  const given = trace('t1: begin A, r x, w x, end, begin B, r y, w y, end; t2: w x, w y');

  function limited(limits: Partial<typeof USUAL_LIMITS>) {
    const violations: ViolationFact[] = [];
    const report = (violation: ViolationFact) => violations.push(violation);
    const create = () => new BlockBased({ forkJoin: 'edge', report }, { ...USUAL_LIMITS, ...limits });
    const { outcome } = run({ ...block, create }, given);
    return { found: violations.length, ...outcome.statistics };
  }

  it('are not reached by a small trace', () => {
    expect(limited({})).toMatchObject({
      found: 2,
      units: 2,
      shapes: 2,
      shapesCompared: 2,
      variables: 2,
      variablesCompared: 2,
      pairsCutShort: 0,
      unitsLeftOut: 0,
    });
  });

  it('leave out transactions of too many shapes', () => {
    expect(limited({ shapes: 1 })).toMatchObject({ found: 1, shapes: 1, unitsLeftOut: 1 });
  });

  it('leave out transactions that are too long together', () => {
    expect(limited({ elements: 3 })).toMatchObject({ found: 1, shapes: 1, unitsLeftOut: 1 });
  });

  it('end the record of a trace, and the result says where', () => {
    const create = () =>
      new BlockBased({ forkJoin: 'edge', report: () => {} }, { ...USUAL_LIMITS, recorded: 100 });
    expect(run({ ...block, create }, given).outcome.notes).toEqual([
      expect.stringContaining('nothing after event 2 was looked at'),
    ]);
  });

  it('end the comparison, which says how far it got', () => {
    expect(limited({ comparisons: 1 })).toMatchObject({ found: 0, shapes: 2, shapesCompared: 0 });
    expect(limited({ comparisons: 9 })).toMatchObject({
      found: 1,
      shapesCompared: 2,
      variables: 2,
      variablesCompared: 1,
    });
  });

  it('cut single pairs short', () => {
    expect(limited({ comparisonsOfPair: 2 })).toMatchObject({
      found: 0,
      pairsCutShort: 2,
      shapesCompared: 2,
    });
  });
});

/** Two threads, each with one block and nothing else. */
function isTwoTransactions(given: readonly NamedEvent[]): boolean {
  const inside = new Map<string, number>();
  let transactions = 0;
  for (const { thread, op } of given) {
    const depth = inside.get(thread) ?? 0;
    if (op === Op.begin && depth === 0) transactions++;
    if (op !== Op.begin && depth === 0) return false;
    if (op === Op.begin) inside.set(thread, depth + 1);
    if (op === Op.end) inside.set(thread, depth - 1);
  }
  return transactions === 2 && inside.size === 2;
}

/** Sections of locks that nest, and of which none is left open. */
function locksNest(given: readonly NamedEvent[]): boolean {
  const held = new Map<string, string[]>();
  for (const { thread, op, operand } of given) {
    const locks = held.get(thread) ?? [];
    held.set(thread, locks);
    if (op === Op.acquire) locks.push(operand);
    if (op === Op.release && locks.pop() !== operand) return false;
  }
  return [...held.values()].every((locks) => locks.length === 0);
}

/** For two transactions a report and a schedule that is not view-serializable are the same, unless one deadlocks. */
function complaint(given: readonly NamedEvent[]): string | null {
  if (!isTwoTransactions(given)) return null;
  const { viewAtomic, deadlocks } = tryInterleavings(given);
  if (deadlocks) return null;
  const found = run(block, MemoryTrace.of(given)).violations.map(story);
  if (found.length === 0) return viewAtomic ? null : 'it reports nothing, and there is a violation';
  return viewAtomic && locksNest(given) ? `it reports ${found}, and there is no violation` : null;
}

/** The events of each block that is not nested, by the number of its begin. */
function unitsOf(given: readonly NamedEvent[]): Map<number, NamedEvent[]> {
  const units = new Map<number, NamedEvent[]>();
  const open = new Map<string, number>();
  given.forEach((event, i) => {
    if (event.op === Op.begin) open.set(event.thread, i + 1);
    const unit = open.get(event.thread);
    if (unit !== undefined) units.set(unit, [...(units.get(unit) ?? []), event]);
    if (event.op === Op.end) open.delete(event.thread);
  });
  return units;
}

/** With more transactions, what is true of all of them is what is true of every two. */
function pairwiseComplaint(given: readonly NamedEvent[]): string | null {
  const { violations } = run(block, MemoryTrace.of(given));
  const units = [...unitsOf(given)];
  const broken = new Set<string>();
  for (const [a, eventsOfA] of units) {
    for (const [b, eventsOfB] of units) {
      if (a >= b || eventsOfA[0].thread === eventsOfB[0].thread) continue;
      const { viewAtomic, deadlocks } = tryInterleavings([...eventsOfA, ...eventsOfB]);
      if (deadlocks) return null;
      if (!viewAtomic) broken.add(eventsOfA[0].operand).add(eventsOfB[0].operand);
    }
  }
  const labels = new Set(violations.map(({ block }) => given[block!.begin - 1].operand));
  const wrong = [...labels].filter((label) => !broken.has(label));
  if (wrong.length > 0) return `it reports ${wrong}, which every other leaves whole`;
  return broken.size > 0 && labels.size === 0 ? `it reports nothing of ${[...broken]}` : null;
}

describe('block and all schedules', () => {
  const runs = fuzzRuns(400);
  const timeout = 180_000 + runs * 10;
  const usual: ProgramShape = {
    threads: 2,
    variables: 2,
    locks: 2,
    units: 1,
    steps: 9,
    accesses: [Op.read, Op.write],
    onlyBlocks: true,
    orderedLocks: true,
    nestedLocks: true,
    locksWithinUnits: true,
    forkJoin: false,
  };
  const shapes: readonly Partial<ProgramShape>[] = [
    {},
    { accesses: [Op.read, Op.write, Op.update] },
    { locks: 3, steps: 12 },
    { variables: 3, steps: 10, accesses: [Op.read, Op.write, Op.update] },
    { variables: 1, steps: 12, accesses: [Op.read, Op.write, Op.update], locks: 1 },
    { orderedLocks: false, locks: 3 },
    { nestedLocks: false, locks: 3 },
  ];
  const smallScopes: readonly Scope[] = [
    { events: 5, threads: 2, variables: 1, accesses: [Op.read, Op.write, Op.update] },
    { events: 5, threads: 2, variables: 2, accesses: [Op.read, Op.write] },
  ];
  /** For long runs. */
  const largerScopes: readonly Scope[] = [
    { events: 7, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
    { events: 6, threads: 2, variables: 2, accesses: [Op.read, Op.write, Op.update] },
  ];

  it.each(TAKES_LARGER_SCOPES ? largerScopes : smallScopes)(
    'agree on all two transactions of $events events and $variables variables',
    { timeout },
    (scope) => {
      hasNoComplaint(allTraces(scope), complaint);
    },
  );

  it(`agree on ${runs} programs of two transactions`, { timeout }, () => {
    hasNoComplaint(
      seeded(runs, (seed) => randomProgram(seed, { ...usual, ...shapes[seed % shapes.length] })),
      complaint,
    );
  });

  it(`agree on every two transactions of ${runs >> 3} programs`, { timeout }, () => {
    hasNoComplaint(
      seeded(runs >> 3, (seed) => randomProgram(seed, { ...usual, threads: 3, units: 2, steps: 5 })),
      pairwiseComplaint,
    );
  });
});
