import { describe, expect, it } from 'vitest';
import type { ViolationFact } from '../../src/analyses/analysis.ts';
import { GoodLock, type Limits } from '../../src/analyses/goodlock/goodlock.ts';
import { goodlock } from '../../src/analyses/goodlock/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';

import { potentialDeadlocks } from '../oracle/deadlocks.ts';
import { usualWeights } from '../support/choices.ts';
import { fuzzRuns, hasNoComplaint, seeded, TAKES_LARGER_SCOPES } from '../support/comparing.ts';
import { examples } from '../support/examples.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { lockProgram } from '../support/lock-programs.ts';
import { trace } from '../support/notation.ts';
import { Random, randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

/** Each deadlock as its pairs of acquires: `held-wanted`. */
function deadlocks(notation: string): string[] {
  return run(goodlock, trace(notation)).violations.map(pairs);
}

function pairs({ cycle }: ViolationFact): string {
  return cycle!.map(({ from, to }) => `${from}-${to}`).join(' ');
}

const ONE_WAY = 'acq a, acq b, rel b, rel a';
const OTHER_WAY = 'acq b, acq a, rel a, rel b';

describe('goodlock reports', () => {
  it('two threads that acquire two locks in opposite orders', () => {
    expect(deadlocks(`t1: ${ONE_WAY}; t2: ${OTHER_WAY}`)).toEqual(['1-2 5-6']);
  });

  it('three threads around a table', () => {
    const given = `t1: ${ONE_WAY}; t2: acq b, acq c, rel c, rel b; t3: acq c, acq a, rel a, rel c`;
    expect(deadlocks(given)).toEqual(['1-2 5-6 9-10']);
  });

  it('orders that are apart from each other by other locks', () => {
    expect(deadlocks('t1: acq a, acq x, acq b, rel b, rel x, rel a; t2: acq b, acq y, acq a')).toEqual([
      '1-3 7-9',
    ]);
  });

  it('a parent and its child, if the parent goes on after the fork', () => {
    expect(deadlocks(`t1: acq a, fork t2, acq b, rel b, rel a; t2: ${OTHER_WAY}`)).toEqual(['1-3 6-7']);
  });

  it('opposite orders of which only one is under a gate lock', () => {
    expect(deadlocks(`t1: acq g, ${ONE_WAY}, rel g; t2: ${OTHER_WAY}`)).toEqual(['2-3 7-8']);
  });

  it('orders that only the locks of this schedule put one after the other', () => {
    expect(deadlocks(`t1: ${ONE_WAY}, acq s, rel s; t2: acq s, rel s, ${OTHER_WAY}`)).toEqual(['1-2 9-10']);
  });

  it('acquires before a fork and after the join of a child without events, which orders nothing', () => {
    expect(deadlocks(`t1: ${ONE_WAY}, fork c; t2: join c, ${OTHER_WAY}`)).toEqual(['1-2 7-8']);
  });

  it('a cycle of locks once, however often it is gone through', () => {
    expect(deadlocks(`t1: ${ONE_WAY}, ${ONE_WAY}; t2: ${OTHER_WAY}; t3: ${OTHER_WAY}`)).toEqual(['1-2 9-10']);
  });

  it('each of several cycles', () => {
    const given = `t1: ${ONE_WAY}, acq c, acq d, rel d, rel c; t2: acq d, acq c, rel c, rel d, ${OTHER_WAY}`;
    expect(deadlocks(given)).toEqual(['5-6 9-10', '1-2 13-14']);
  });

  it('a cycle whose first choice of acquires cannot meet', () => {
    const given = `t1: acq g, acq a, acq b, rel b, rel a, rel g; t2: acq g, ${OTHER_WAY}, rel g; t1: ${ONE_WAY}`;
    expect(deadlocks(given)).toEqual(['8-9 13-14']);
  });

  it('the acquires, the thread that comes last and its transaction', () => {
    const given = trace(`t2: acq b; t2: acq a, rel a, rel b; t1: begin A, begin B, ${ONE_WAY}`);
    const { violations, outcome } = run(goodlock, given);
    expect(violations).toEqual([
      {
        kind: 'deadlock',
        event: 8,
        thread: given.names.threads.internText('t1'),
        block: { label: given.names.labels.internText('A'), begin: 5, depth: 0 },
        cycle: [
          { from: 1, to: 2 },
          { from: 7, to: 8 },
        ],
        related: [
          { event: 1, role: 'acquire of the lock held' },
          { event: 2, role: 'acquire that may wait for ever' },
          { event: 7, role: 'acquire of the lock held' },
          { event: 8, role: 'acquire that may wait for ever' },
        ],
      },
    ]);
    expect(outcome).toMatchObject({
      serializable: null,
      firstEvent: null,
      statistics: { deadlocks: 1, truncated: 0 },
    });
  });
});

describe('goodlock does not report', () => {
  it('one thread that acquires two locks in opposite orders', () => {
    expect(deadlocks(`t1: ${ONE_WAY}, ${OTHER_WAY}`)).toEqual([]);
  });

  it('threads that all acquire locks in one order', () => {
    expect(deadlocks(`t1: ${ONE_WAY}; t2: ${ONE_WAY}; t3: acq a, acq c, rel c, acq b`)).toEqual([]);
  });

  it('opposite orders under a gate lock', () => {
    expect(deadlocks(`t1: acq g, ${ONE_WAY}, rel g; t2: acq g, ${OTHER_WAY}, rel g`)).toEqual([]);
  });

  it('a parent and a child that it has yet to fork', () => {
    expect(deadlocks(`t1: ${ONE_WAY}, fork t2; t2: ${OTHER_WAY}`)).toEqual([]);
  });

  it('a parent and a child that it has joined', () => {
    expect(deadlocks(`t1: fork t2; t2: ${OTHER_WAY}; t1: join t2, ${ONE_WAY}`)).toEqual([]);
  });

  it('two children, one of which was joined before the other was forked', () => {
    expect(deadlocks(`t1: fork t2; t2: ${ONE_WAY}; t1: join t2, fork t3; t3: ${OTHER_WAY}`)).toEqual([]);
  });

  it('acquires before a fork and after the join of a child that did something', () => {
    expect(deadlocks(`t1: ${ONE_WAY}, fork c; c: w x; t2: join c, ${OTHER_WAY}`)).toEqual([]);
  });

  it('a cycle in which one thread has two parts', () => {
    const given = `t1: ${ONE_WAY}, acq c, acq a, rel a, rel c; t2: acq b, acq c, rel c, rel b`;
    expect(deadlocks(given)).toEqual([]);
  });

  it('a lock that is acquired again by who holds it', () => {
    expect(deadlocks('t1: acq a, acq b, acq a, rel a, rel b, rel a; t2: acq a, acq b')).toEqual([]);
  });
});

/** As many threads around a table, each taking the lock at its place and then the next one. */
function philosophers(count: number): MemoryTrace {
  const steps = Array.from({ length: count }, (_, i) => {
    const [own, next] = [`l${i}`, `l${(i + 1) % count}`];
    return `t${i}: acq ${own}, acq ${next}, rel ${next}, rel ${own}`;
  });
  return trace(steps.join(';'));
}

function limited(given: MemoryTrace, limits: Partial<Limits>) {
  const usual: Limits = { edges: 1000, steps: 1000, cycles: 1000 };
  return run({ ...goodlock, create: (context) => new GoodLock(context, { ...usual, ...limits }) }, given);
}

describe('the cost of goodlock', () => {
  it('lets it find a cycle of 1000 threads', () => {
    const { violations, outcome } = run(goodlock, philosophers(1000));
    expect(violations.map(({ cycle }) => cycle!.length)).toEqual([1000]);
    expect(outcome.statistics.truncated).toBe(0);
  });

  it('does not grow with how often a thread does the same', () => {
    const often = trace(`t1: ${`${ONE_WAY},`.repeat(500)} ${ONE_WAY}; t2: ${OTHER_WAY}`);
    expect(run(goodlock, often).outcome.statistics).toMatchObject({ edges: 2, periods: 2 });
  });

  it('is not spent on locks that are not on a cycle', () => {
    const oneWay = Array.from({ length: 300 }, (_, i) => `t${i}: ${ONE_WAY}`).join(';');
    expect(run(goodlock, trace(oneWay)).outcome.statistics).toMatchObject({ edges: 300, steps: 0 });
  });

  it('does not grow with pairs of threads that a gate lock keeps apart', () => {
    const gated = Array.from(
      { length: 2000 },
      (_, i) => `t${i}: acq g, ${i % 2 === 0 ? ONE_WAY : OTHER_WAY}, rel g`,
    );
    const { violations, outcome } = run(goodlock, trace(gated.join(';')));
    expect(violations).toEqual([]);
    expect(outcome.statistics.steps).toBeLessThan(10_000);
  });

  it('is limited: it says when there were more edges than it keeps', () => {
    const { violations, outcome } = limited(philosophers(10), { edges: 9 });
    expect(violations).toEqual([]);
    expect(outcome.statistics).toMatchObject({ edges: 9, truncated: 1 });
  });

  it('is limited: it says when it took more steps than it may', () => {
    const { violations, outcome } = limited(philosophers(100), { steps: 100 });
    expect(violations).toEqual([]);
    expect(outcome.statistics.truncated).toBe(1);
  });

  it('is limited: it says when there may be more cycles than it reports', () => {
    const given = trace(`t1: ${ONE_WAY}, acq c, acq d, rel d, rel c; t2: ${OTHER_WAY}, acq d, acq c`);
    const { violations, outcome } = limited(given, { cycles: 1 });
    expect(violations).toHaveLength(1);
    expect(outcome.statistics.truncated).toBe(1);
  });
});

function complaint(events: readonly NamedEvent[]): string | null {
  const { violations, outcome } = run(goodlock, MemoryTrace.of(events));
  if (outcome.statistics.truncated !== 0) return 'it gave up';
  const expected = potentialDeadlocks(events);
  const found = violations.map(({ cycle }) => {
    const smallest = [...cycle!].sort((a, b) => (lockAt(a.from) < lockAt(b.from) ? -1 : 1))[0];
    const start = cycle!.indexOf(smallest);
    return [...cycle!.slice(start), ...cycle!.slice(0, start)];
  });
  function lockAt(event: number): string {
    return events[event - 1].operand;
  }
  const names = found.map((cycle) => cycle.map(({ from }) => lockAt(from)).join(' '));
  if (names.toSorted().join(', ') !== [...expected.keys()].sort().join(', '))
    return `it should report ${[...expected.keys()].sort().join(', ')}, and reports ${names.sort().join(', ')}`;
  const wrong = found.findIndex((cycle, i) => {
    const text = (edges: readonly { from: number; to: number }[]) =>
      edges.map(({ from, to }) => [from, to]).join();
    return !expected.get(names[i])!.some((one) => text(one) === text(cycle));
  });
  return wrong < 0 ? null : `${pairs(violations[wrong])} is no deadlock`;
}

/** Threads that mostly acquire and release, and often hold several locks at a time. */
function lockTrace(seed: number): NamedEvent[] {
  const random = new Random(seed);
  const threads = random.between(2, 6);
  return randomTrace(seed, {
    threads,
    roots: random.oneIn(2) ? threads : random.between(1, 2),
    locks: random.between(2, 5),
    maxEvents: random.between(10, 70),
    weights: {
      ...usualWeights,
      ...{ read: 0, write: 1, update: 0, begin: random.below(2), end: 1 },
      ...{ acquire: 20, release: random.between(8, 20), fork: random.below(8), join: random.below(3) },
    },
  });
}

describe('goodlock and the definition of a potential deadlock', () => {
  const runs = fuzzRuns(600);
  const length = TAKES_LARGER_SCOPES ? 6 : 5;
  const timeout = 180_000 + runs * 5;
  const scopes: readonly Scope[] = [
    { events: length + 2, threads: 2, variables: 0, locks: 2, depth: 0 },
    { events: length, threads: 2, variables: 0, locks: 2, depth: 0, forkJoin: true },
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

  it(`agree on ${runs} random traces of many lock operations`, { timeout }, () => {
    hasNoComplaint(seeded(runs, lockTrace), complaint);
  });

  it(`agree on ${runs} random programs of nested locks`, { timeout }, () => {
    hasNoComplaint(seeded(runs, lockProgram), complaint);
  });

  it('meet in programs of nested locks: there are cycles of two, three and four locks', () => {
    const lengths = new Set<number>();
    for (let seed = 1; seed <= 500; seed++)
      for (const name of potentialDeadlocks(lockProgram(seed)).keys()) lengths.add(name.split(' ').length);
    expect([...lengths]).toEqual(expect.arrayContaining([2, 3, 4]));
  });
});
