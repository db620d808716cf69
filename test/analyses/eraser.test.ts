import { describe, expect, it } from 'vitest';
import { eraser } from '../../src/analyses/eraser/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { unprotectedVariables } from '../oracle/locksets.ts';
import { usualWeights } from '../support/choices.ts';
import { fuzzRuns, hasNoComplaint, seeded, TAKES_LARGER_SCOPES } from '../support/comparing.ts';
import { examples } from '../support/examples.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { trace } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

/** The events at which a variable is reported. */
function reports(notation: string): number[] {
  return run(eraser, trace(notation)).violations.map(({ event }) => event);
}

describe('eraser reports a variable', () => {
  it('that two threads write without a lock', () => {
    expect(reports('t1: w x; t2: w x')).toEqual([2]);
  });

  it('that is written under different locks, when the third access leaves none', () => {
    expect(reports('t1: w x; t2: acq l, w x, rel l; t1: acq m, w x, rel m')).toEqual([6]);
  });

  it('whose lock is left out once', () => {
    const given = 't1: acq l, w x, rel l; t2: acq l, w x, rel l; t1: acq l, w x, rel l; t2: r x';
    expect(reports(given)).toEqual([10]);
  });

  it('that is updated without a lock: updates commute, but each reads and writes memory', () => {
    expect(reports('t1: u x; t2: u x')).toEqual([2]);
  });

  it('that is read without a lock by several, at the next write', () => {
    expect(reports('t1: w x; t2: r x; t3: r x; t1: r x, w x')).toEqual([5]);
  });

  it('once', () => {
    expect(reports('t1: w x; t2: w x; t1: w x; t3: w x')).toEqual([2]);
  });

  it('although a fork or a join orders the accesses: it may cry wolf', () => {
    expect(reports('t1: w x, fork t2; t2: w x')).toEqual([3]);
    expect(reports('t1: fork t2; t2: w x; t1: join t2, w x')).toEqual([4]);
  });

  it('although a lock was handed over, if it is not held at the access', () => {
    expect(reports('t1: w x, acq l, rel l; t2: acq l, rel l, w x')).toEqual([6]);
  });
});

describe('eraser does not report a variable', () => {
  it('that one thread has to itself', () => {
    expect(reports('t1: w x, r x, u x; t2: w y')).toEqual([]);
  });

  it('that one lock protects, among others', () => {
    const given = 't1: acq l, acq m, w x, rel m, rel l; t2: acq l, w x, rel l; t1: acq n, acq l, w x';
    expect(reports(given)).toEqual([]);
  });

  it('that is set up without a lock before others come', () => {
    expect(reports('t1: w x; t2: acq l, w x, rel l; t1: acq l, r x, rel l')).toEqual([]);
  });

  it('that is written by one thread and then only read', () => {
    expect(reports('t1: w x; t2: r x; t3: r x; t1: r x')).toEqual([]);
  });

  it('whose lock is still held by a re-entrant acquire', () => {
    expect(reports('t1: w x; t2: acq l, acq l, rel l, w x, rel l; t1: acq l, w x')).toEqual([]);
  });

  it('whose lock is held when another is released out of order', () => {
    expect(reports('t1: w x; t2: acq m, acq l, rel m, w x, rel l; t1: acq l, w x')).toEqual([]);
  });
});

describe('what eraser tells with a variable', () => {
  it('is the access that left no lock and the previous one of another thread', () => {
    const given = trace('t1: w x; t2: acq l, w x, w x, rel l; t1: begin A, w x');
    const { violations, outcome } = run(eraser, given);
    expect(violations).toEqual([
      {
        kind: 'race',
        event: 7,
        thread: given.names.threads.internText('t1'),
        block: { label: given.names.labels.internText('A'), begin: 6, depth: 0 },
        related: [
          { event: 4, role: 'previous access by another thread' },
          { event: 7, role: 'access that left no common lock' },
        ],
      },
    ]);
    expect(outcome).toMatchObject({ serializable: null, firstEvent: null, statistics: { races: 1 } });
  });

  it('is also the write, if no lock was left before it', () => {
    expect(run(eraser, trace('t1: w x; t2: r x; t3: r x; t2: w x')).violations).toMatchObject([
      {
        related: [
          { event: 2, role: 'access that left no common lock' },
          { event: 3, role: 'previous access by another thread' },
          { event: 4, role: 'write without a common lock' },
        ],
      },
    ]);
  });
});

it('holds ten thousand locks at a time', () => {
  const locks = Array.from({ length: 10_000 }, (_, i) => `l${i}`);
  const upwards = locks.map((lock) => `acq ${lock}`).join();
  const released = locks.map((lock) => `rel ${lock}`).join();
  const given = trace(`t1: w x; t2: ${upwards}, w x, ${released}; t1: acq l5000, w x`);
  expect(run(eraser, given).violations).toEqual([]);
});

function complaint(events: readonly NamedEvent[]): string | null {
  const { violations } = run(eraser, MemoryTrace.of(events));
  const expected = unprotectedVariables(events).map(
    ({ event, emptied, previousOfOther }) =>
      `${event}, after ${[...new Set([emptied, previousOfOther, event])].sort((a, b) => a - b)}`,
  );
  const found = violations.map(({ event, related }) => `${event}, after ${related!.map((one) => one.event)}`);
  return found.join(';') === expected.join(';') ? null : `it should report ${expected}, and reports ${found}`;
}

describe('eraser and plain sets', () => {
  const runs = fuzzRuns(600);
  const length = TAKES_LARGER_SCOPES ? 6 : 5;
  const timeout = 180_000 + runs * 5;
  const scopes: readonly Scope[] = [
    { events: length, threads: 3, variables: 1, depth: 0, accesses: [Op.read, Op.write] },
    { events: length, threads: 2, variables: 1, locks: 1, depth: 0, accesses: [Op.read, Op.write] },
    { events: length, threads: 2, variables: 1, locks: 2, depth: 0, accesses: [Op.write] },
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

  it(`agree on ${runs} random traces with many locks`, { timeout }, () => {
    const weights = {
      ...usualWeights,
      begin: 0,
      fork: 0,
      join: 0,
      write: 4,
      update: 1,
      acquire: 30,
      release: 18,
    };
    const shape = { locks: 5, variables: 2, weights, maxEvents: 80 };
    hasNoComplaint(
      seeded(runs, (seed) => randomTrace(seed, { threads: 2 + (seed % 3), roots: 4, ...shape })),
      complaint,
    );
  });
});
