import { describe, expect, it } from 'vitest';
import type { Analysis, EventHandlers } from '../../src/analyses/analysis.ts';
import { fasttrack } from '../../src/analyses/fasttrack/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { type FirstRace, firstRaces } from '../oracle/races.ts';
import { fuzzRuns, hasNoComplaint, seeded, TAKES_LARGER_SCOPES } from '../support/comparing.ts';
import { examples } from '../support/examples.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { trace } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';
import { synchronisedTrace } from '../support/synchronised-traces.ts';

/** The races found, as `earlier access-later access`. */
function races(notation: string): string[] {
  return run(fasttrack, trace(notation)).violations.map(({ cycle }) => `${cycle![0].from}-${cycle![0].to}`);
}

describe('two accesses race', () => {
  it.each(['w', 'r', 'u'])('when nothing orders a write and a %s', (op) => {
    expect(races(`t1: w x; t2: ${op} x`)).toEqual(['1-2']);
    expect(races(`t1: ${op} x; t2: w x`)).toEqual(['1-2']);
  });

  it('when one updates what the other reads', () => {
    expect(races('t1: u x; t2: r x')).toEqual(['1-2']);
    expect(races('t1: r x; t2: u x')).toEqual(['1-2']);
  });

  it('when they hold different locks', () => {
    expect(races('t1: acq l, w x, rel l; t2: acq m, w x, rel m')).toEqual(['2-5']);
  });

  it('when the fork comes before the first of them', () => {
    expect(races('t1: fork t2, w x; t2: w x')).toEqual(['2-3']);
  });

  it('when the second comes before the join', () => {
    expect(races('t1: fork t2; t2: w x; t1: w x, join t2')).toEqual(['2-3']);
  });

  it('when only an atomic block could order them', () => {
    expect(races('t1: begin A, w x, end; t2: begin A, w x, end')).toEqual(['2-5']);
  });

  it('when one of several unordered reads is not before a write', () => {
    expect(races('t1: r x; t2: acq l, r x, rel l; t3: acq l, w x')).toEqual(['1-6']);
  });

  it('when the lock was released before the access', () => {
    expect(races('t1: acq l, rel l, w x; t2: acq l, r x')).toEqual(['3-5']);
  });
});

describe('two accesses do not race', () => {
  it.each(['r', 'u'])('when both are %s', (op) => {
    expect(races(`t1: ${op} x; t2: ${op} x; t3: ${op} x; t1: ${op} x`)).toEqual([]);
  });

  it('when they are of one thread', () => {
    expect(races('t1: w x, r x, u x, w x')).toEqual([]);
  });

  it('when a lock is handed from the first to the second', () => {
    expect(races('t1: acq l, w x, rel l; t2: acq l, w x, rel l')).toEqual([]);
    expect(races('t1: w x, acq l, rel l; t2: acq l, rel l, w x')).toEqual([]);
  });

  it('when locks order them through a third thread', () => {
    expect(races('t1: w x, acq l, rel l; t2: acq l, acq m, rel m; t3: acq m, w x')).toEqual([]);
  });

  it('when the first comes before the fork of the second', () => {
    expect(races('t1: w x, fork t2; t2: w x')).toEqual([]);
  });

  it('when the second comes after the join of the first', () => {
    expect(races('t1: fork t2; t2: w x; t1: join t2, w x')).toEqual([]);
  });

  it('when another thread joins a thread that was joined before', () => {
    expect(races('t1: w x; t2: join t1; t3: join t1, w x')).toEqual([]);
  });

  it('when every one of several unordered reads is before the write', () => {
    expect(races('t1: r x, acq l, rel l; t2: acq m, r x, rel m; t3: acq l, acq m, w x')).toEqual([]);
  });
});

describe('what fasttrack reports', () => {
  it('is the first race of a variable, once', () => {
    expect(races('t1: w x; t2: w x; t3: w x, r x; t1: r x')).toEqual(['1-2']);
  });

  it('is a race for each variable that has one', () => {
    expect(races('t1: w x, w y, w z; t2: r y, w x')).toEqual(['2-4', '1-5']);
  });

  it('names the latest of the earlier accesses, and the transaction of the later one', () => {
    const given = trace('t1: r x; t2: r x; t3: begin A, begin B, w x');
    const { violations, outcome } = run(fasttrack, given);
    expect(violations).toEqual([
      {
        kind: 'race',
        event: 5,
        thread: given.names.threads.internText('t3'),
        block: { label: given.names.labels.internText('A'), begin: 3, depth: 0 },
        cycle: [{ from: 2, to: 5 }],
        related: [
          { event: 2, role: 'earlier access' },
          { event: 5, role: 'later access' },
        ],
      },
    ]);
    expect(outcome).toMatchObject({ serializable: null, firstEvent: null, statistics: { races: 1 } });
  });

  it('names no block for an access outside every block', () => {
    const { violations } = run(fasttrack, trace('t1: w x; t2: begin A, end, w x'));
    expect(violations).toMatchObject([{ block: null }]);
  });
});

describe('the slot of a joined thread', () => {
  it('is used again, and keeps the order of those who had it', () => {
    const given = 't1: fork t2; t2: w x; t1: join t2, fork t3; t3: w x, w y; t4: r x, r y';
    expect(races(given)).toEqual(['5-7', '6-8']);
    expect(run(fasttrack, trace(given)).outcome.statistics.slots).toBe(3);
  });

  it('is not given to a child of a thread that does not know of the join', () => {
    expect(races('t1: fork t2; t2: w x; t1: join t2; t4: fork t3; t3: w x')).toEqual(['2-5']);
  });

  it('is not given to a child of a forked thread that does not know of the join', () => {
    const given = `t1: fork a, fork b; a: r y; b: r y; t1: join a, join b, fork c, fork d
      d: w x; t1: join d; c: fork e; e: w x`;
    expect(races(given)).toEqual(['9-12']);
  });

  it('may be given away by one who joins a thread without events that had it in between', () => {
    expect(races('t1: fork a; a: w x; t1: join a, fork b; t2: join b, fork c; c: w x')).toEqual([]);
  });

  it('says nothing about the thread that has it now to one who joins the earlier one again', () => {
    const given = 't1: fork t2; t2: r y; t1: join t2, fork t3; t3: w x; t4: join t2, w x';
    expect(races(given)).toEqual(['5-7']);
  });

  it('is free again when a thread was joined without an event', () => {
    const eventless = 't1: fork t2, join t2, fork t3, join t3, fork t4; t4: w x';
    expect(run(fasttrack, trace(eventless)).outcome.statistics.slots).toBe(2);
  });
});

it('a clock for unordered reads is given up at the next write', () => {
  const round = 't1: r x, acq l, rel l; t2: r x, acq l, w x, rel l; t1: acq l, rel l;';
  const { violations, outcome } = run(fasttrack, trace(round.repeat(200)));
  expect(violations).toEqual([]);
  expect(outcome.statistics.inflated).toBe(200);
  expect(outcome.statistics.nodesAtMost).toBeLessThan(10);
});

/** Shows events to the analysis as they come; a trace in memory would cost more than the analysis. */
class Events {
  readonly analysis: Analysis;
  readonly races: number[] = [];
  #event = 0;

  constructor() {
    this.analysis = fasttrack.create({ forkJoin: 'edge', report: ({ event }) => this.races.push(event) });
  }

  add(op: Exclude<keyof EventHandlers, `volatile${string}`>, thread: number, operand: number): void {
    this.analysis[op](thread, operand, ++this.#event);
  }

  /** A thread that writes variable 0 under lock 0, as all others do. */
  work(thread: number): void {
    this.add('acquire', thread, 0);
    this.add('write', thread, 0);
    this.add('release', thread, 0);
  }

  statistics() {
    return this.analysis.outcome().statistics;
  }
}

describe('100,000 short threads', () => {
  const THREADS = 100_000;

  it('take as many slots as are alive at a time', () => {
    const events = new Events();
    const alive = 10;
    for (let child = 1; child <= THREADS; child++) {
      if (child > alive) events.add('join', 0, child - alive);
      events.add('fork', 0, child);
      events.work(child);
    }
    expect(events.statistics().slots).toBe(alive + 1);
    expect(events.races).toEqual([]);
  });

  it('take as many when the threads fork and join others in turn', () => {
    const events = new Events();
    const alive = 10;
    for (let child = 1; child <= THREADS; child += 2) {
      if (child > 2 * alive) events.add('join', 0, child - 2 * alive);
      events.add('fork', 0, child);
      events.add('fork', child, child + 1);
      events.work(child + 1);
      events.add('join', child, child + 1);
      events.work(child);
    }
    expect(events.statistics().slots).toBeLessThan(4 * alive);
    expect(events.races).toEqual([]);
  });

  it('leave no clocks behind when they were joined', () => {
    const events = new Events();
    for (let child = 1; child <= THREADS; child++) {
      events.add('fork', 0, child);
      events.work(child);
      events.add('join', 0, child);
    }
    expect(events.races).toEqual([]);
    // Whoever joins the first of them again still knows nothing of the last.
    events.add('join', THREADS + 1, 1);
    events.add('write', THREADS + 1, 0);
    expect(events.races).toHaveLength(1);
    expect(events.statistics().nodesAtMost).toBeLessThan(THREADS / 2);
  });

  it('share their clocks when none is ever joined', () => {
    const events = new Events();
    for (let child = 1; child <= THREADS; child++) {
      events.add('fork', 0, child);
      events.work(child);
    }
    events.add('write', 0, 0);
    expect(events.races).toHaveLength(1);
    // With an array for each clock there would be 5 billion times.
    expect(events.statistics().nodesAtMost).toBeLessThan(20 * THREADS);
  });

  it('need no fork', () => {
    const events = new Events();
    for (let thread = 0; thread < THREADS; thread++) events.work(thread);
    for (let thread = 0; thread < THREADS; thread++) events.add('read', thread, 1);
    expect(events.races).toEqual([]);
  });
});

function complaint(events: readonly NamedEvent[]): string | null {
  const given = MemoryTrace.of(events);
  const { violations } = run(fasttrack, given);
  const expected = firstRaces(events);
  const found = violations.map(({ event }) => `${events[event - 1].operand} at ${event}`);
  const defined = expected.map(({ event, variable }) => `${variable} at ${event}`);
  if (found.join() !== defined.join()) return `it should report ${defined}, and reports ${found}`;
  for (const [i, { cycle, thread }] of violations.entries()) {
    const { from, to } = cycle![0];
    if (!isRace(expected[i], from, to)) return `it takes ${from} for an access that races with ${to}`;
    if (given.names.threads.text(thread) !== events[to - 1].thread)
      return `it names the wrong thread at ${to}`;
  }
  return null;
}

function isRace({ event, rivals }: FirstRace, from: number, to: number): boolean {
  return to === event && rivals.includes(from);
}

describe('fasttrack and the definition of a race', () => {
  const runs = fuzzRuns(600);
  const length = TAKES_LARGER_SCOPES ? 6 : 5;
  const timeout = 180_000 + runs * 5;
  const scopes: readonly Scope[] = [
    { events: length - 1, threads: 3, variables: 1, depth: 0 },
    { events: length, threads: 3, variables: 1, depth: 0, accesses: [Op.read, Op.write] },
    { events: length, threads: 3, variables: 1, depth: 0, accesses: [Op.write], forkJoin: true },
    { events: length, threads: 2, variables: 1, locks: 1, depth: 0, accesses: [Op.read, Op.write] },
    { events: 4, threads: 3, variables: 1, locks: 1, depth: 1, accesses: [Op.write], forkJoin: true },
  ];

  it('agree on the examples', () => {
    hasNoComplaint(
      examples().map(({ trace }) => [...trace.events()]),
      complaint,
    );
  });

  it.each(scopes)('agree on every trace of $events events and $threads threads', { timeout }, (scope) => {
    hasNoComplaint(allTraces(scope), complaint);
  });

  it(`agree on ${runs} random traces`, { timeout }, () => {
    hasNoComplaint(seeded(runs, randomTrace), complaint);
  });

  it(`agree on ${runs} random traces in which races come late`, { timeout }, () => {
    hasNoComplaint(seeded(runs, synchronisedTrace), complaint);
  });
});

describe('a thread without events', () => {
  it('orders its fork before its joins, for races', () => {
    for (const text of [
      't1: w x, fork t2; t3: join t2, r x',
      't1: w x, fork t2; t4: join t2; t3: join t2, r x',
    ])
      expect(run(fasttrack, trace(text)).violations).toEqual([]);
    expect(run(fasttrack, trace('t3: join t2; t1: w x, fork t2; t3: r x')).violations).toHaveLength(1);
  });
});
