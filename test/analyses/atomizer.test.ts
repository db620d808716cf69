import { describe, expect, it } from 'vitest';
import type { ForkJoin } from '../../src/analyses/analysis.ts';
import { atomizer } from '../../src/analyses/atomizer/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { tryInterleavings } from '../oracle/interleavings.ts';
import { irreducibleBlocks } from '../oracle/reduction-phases.ts';
import { fuzzRuns, hasNoComplaint, seeded, TAKES_LARGER_SCOPES } from '../support/comparing.ts';
import { examples } from '../support/examples.ts';
import { allTraces, type Scope } from '../support/exhaustive.ts';
import { events, trace } from '../support/notation.ts';
import { randomProgram } from '../support/random-programs.ts';
import { randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';

/** What is reported, as `label: commit point-step that comes too late`. */
function reports(notation: string, forkJoin: ForkJoin = 'edge'): string[] {
  const given = trace(notation);
  return run(atomizer, given, { forkJoin }).violations.map(
    ({ block, event, related }) => `${given.names.labels.text(block!.label)}: ${related![0].event}-${event}`,
  );
}

describe('accesses', () => {
  it('of a variable that no lock protects do not move: a block has one of them', () => {
    expect(reports('t2: w x; t1: begin A, w x, w x, end')).toEqual(['A: 3-4']);
    expect(reports('t2: w x; t1: begin A, w x, w y, end')).toEqual([]);
  });

  it('under a lock that is always held move', () => {
    const shared = 't1: acq l, w x, rel l; t2: acq l, w x, rel l';
    expect(reports(`${shared}; t1: begin A, acq l, w x, w x, rel l, end`)).toEqual([]);
    expect(reports(`${shared}; t1: begin A, acq m, w x, w x, rel m, end`)).toEqual(['A: 9-10']);
  });

  it('move as long as one thread has the variable to itself', () => {
    expect(reports('t1: begin A, w x, w x, end, begin B, w x, w x, end; t2: w x')).toEqual([]);
    expect(reports('t1: begin A, w x, w x, end; t2: w x; t1: begin B, w x, w x, end')).toEqual(['B: 7-8']);
  });

  it.each(['r', 'u'])('move as long as all threads but the first use %s only', (op) => {
    expect(reports(`t1: w x; t2: begin A, ${op} x, ${op} x, end; t3: ${op} x`)).toEqual([]);
    expect(reports(`t1: w x; t2: ${op} x; t3: w x; t2: begin A, ${op} x, ${op} x, end`)).toEqual(['A: 5-6']);
  });

  it('that read under the lock of all writes move, though others read without it', () => {
    const shared = 't1: acq l, w x, rel l; t2: acq l, w x, rel l; t3: r x';
    expect(reports(`${shared}; t1: begin A, acq l, r x, r x, rel l, end`)).toEqual([]);
    expect(reports(`${shared}; t1: begin A, r x, r x, end`)).toEqual(['A: 9-10']);
  });

  it('that write under the lock of all writes do not move if others read without it', () => {
    const shared = 't1: acq l, w x, rel l; t2: acq l, w x, rel l; t3: r x';
    expect(reports(`${shared}; t1: begin A, acq l, w x, w x, rel l, end`)).toEqual(['A: 10-11']);
  });

  it('of a variable with a race do not move even where they do not race themselves', () => {
    // Wang and Stoller §6.1: commit nodes tell that this is atomic, as does trying all schedules.
    const counting =
      't1: begin A, r x, w x, end; t2: begin B, r x, end; t1: begin C, r x, w x, end, begin D, r x, w x, end';
    expect(reports(counting)).toEqual(['D: 13-14']);
    expect(tryInterleavings(events(counting))).toMatchObject({ conflictAtomic: true, deadlocks: false });
  });
});

describe('locks', () => {
  const shared = 't2: acq l, rel l';

  it('are acquired before the commit point and released after it', () => {
    expect(reports(`${shared}; t1: begin A, acq l, rel l, end`)).toEqual([]);
    expect(reports(`${shared}; t1: begin A, acq l, rel l, acq l, rel l, end`)).toEqual(['A: 5-6']);
  });

  it('of one thread move', () => {
    expect(reports('t1: begin A, acq l, rel l, acq l, rel l, end; t2: acq m, rel m')).toEqual([]);
  });

  it('that are used under another lock only move', () => {
    const inner = 'acq l, rel l, acq l, rel l';
    expect(reports(`t2: acq g, ${inner}, rel g; t1: begin A, acq g, ${inner}, rel g, end`)).toEqual([]);
    expect(reports(`t2: acq g, ${inner}, rel g; t1: begin A, ${inner}, end`)).toEqual(['A: 9-10']);
  });

  it('that are acquired again by their holder move', () => {
    expect(reports(`${shared}; t1: begin A, acq l, acq l, rel l, acq l, rel l, rel l, end`)).toEqual([]);
  });
});

describe('forks and joins', () => {
  it('let a block fork after its commit point and join before it', () => {
    expect(reports('t1: w x; t2: w x; t1: begin A, w x, fork c, end; c: r z')).toEqual([]);
    expect(reports('c: r z; t1: w x; t2: w x; t1: begin A, join c, w x, end')).toEqual([]);
  });

  it('do not let it work with others after a fork or before a join', () => {
    expect(reports('t1: w x; t2: w x; t1: begin A, fork c, w x, end; c: r z')).toEqual(['A: 4-5']);
    expect(reports('c: r z; t1: w x; t2: w x; t1: begin A, w x, join c, end')).toEqual(['A: 5-6']);
  });

  it('do not count if the thread does nothing', () => {
    expect(reports('t1: begin A, fork c, join c, end')).toEqual([]);
    expect(reports('t1: begin A, fork c; c: begin B; t1: join c, end')).toEqual(['A: 2-4']);
  });

  it('order nothing, so that data handed over by them is not protected', () => {
    expect(reports('t1: w x, fork c; c: begin A, w x, w x, end')).toEqual(['A: 4-5']);
  });

  it('end the block where they are boundaries', () => {
    const both = 't1: w x; t2: w x; t1: begin A, w x, fork c, w x, end; c: r z';
    expect(reports(both)).toEqual(['A: 4-6']);
    expect(reports(both, 'boundary')).toEqual([]);
  });
});

describe('what atomizer reports', () => {
  it('is the block, its commit point and the step that comes too late, at that step', () => {
    const given = trace('t2: w x; t1: w x, begin A, r x, w x');
    const { violations, outcome } = run(atomizer, given);
    expect(outcome).toMatchObject({ serializable: null, firstEvent: null, statistics: { violated: 1 } });
    expect(violations).toEqual([
      {
        kind: 'reduction',
        event: 5,
        thread: given.names.threads.internText('t1'),
        block: { label: given.names.labels.internText('A'), begin: 3, depth: 0 },
        related: [
          { event: 4, role: 'commit point' },
          { event: 5, role: 'non-mover after the commit point' },
        ],
      },
    ]);
  });

  it('is every block that the commit point and the late step are in, the innermost first', () => {
    const given = trace('t1: w x; t2: w x; t1: begin A, begin B, w x, begin C, w x, end, end, end');
    expect(
      run(atomizer, given).violations.map(
        ({ block }) => `${given.names.labels.text(block!.label)} in ${block!.depth}`,
      ),
    ).toEqual(['B in 1', 'A in 0']);
  });

  it('is a block once', () => {
    expect(reports('t1: w x; t2: w x; t1: begin A, w x, w x, begin B, w x, w x, end, w x, end')).toEqual([
      'A: 4-5',
      'B: 7-8',
    ]);
  });

  it('is a block with the same label again', () => {
    const twice = 't1: w x; t2: w x; t1: begin A, w x, w x, end, begin A, w x, w x, end';
    expect(reports(twice)).toEqual(['A: 4-5', 'A: 8-9']);
  });
});

function complaint(given: readonly NamedEvent[]): string | null {
  const { violations } = run(atomizer, MemoryTrace.of(given));
  const found = violations
    .map(({ event, block, related }) => `${block!.begin}: ${related![0].event}-${event}`)
    .sort();
  const defined = irreducibleBlocks(given)
    .map(({ begin, commit, late }) => `${begin}: ${commit}-${late}`)
    .sort();
  return found.join() === defined.join() ? null : `it should report ${defined}, and reports ${found}`;
}

describe('atomizer and its rules', () => {
  const runs = fuzzRuns(600);
  const length = TAKES_LARGER_SCOPES ? 6 : 5;
  const timeout = 180_000 + runs * 5;
  const scopes: readonly Scope[] = [
    { events: length, threads: 2, variables: 1, accesses: [Op.read, Op.write] },
    { events: length, threads: 2, variables: 1, locks: 1, accesses: [Op.write] },
    { events: length - 1, threads: 3, variables: 1, depth: 2, forkJoin: true, accesses: [Op.write] },
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

  it(`agree on ${runs} random programs`, { timeout }, () => {
    const program = (seed: number) =>
      randomProgram(seed, {
        threads: 2 + (seed % 2),
        variables: 2,
        locks: 1 + (seed % 3),
        units: 3,
        steps: 7,
        accesses: [Op.read, Op.write, Op.update],
        onlyBlocks: seed % 4 === 0,
        orderedLocks: seed % 3 === 0,
        nestedLocks: seed % 5 > 0,
        locksWithinUnits: seed % 7 > 0,
        forkJoin: seed % 6 === 0,
      });
    hasNoComplaint(seeded(runs, program), complaint);
  });
});
