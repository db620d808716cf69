import { describe, expect, it } from 'vitest';
import { sidetrack, witnessOrder, witnessSchedule } from '../../src/analyses/sidetrack/index.ts';
import { events, printEvents, trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

/** The witness of the only prediction for a trace, in the notation. */
function witness(notation: string): string | null {
  const observed = trace(notation);
  const { violations } = run(sidetrack, observed);
  expect(violations).toHaveLength(1);
  const schedule = witnessSchedule(() => observed.batches(), witnessOrder(violations[0])!);
  const all = events(notation);
  return schedule && printEvents(schedule.map((event) => all[event - 1]));
}

describe('the order of a witness', () => {
  it('is that of the block, the culprit, and the block again', () => {
    const { violations } = run(
      sidetrack,
      trace('t2: acq m, rel m; t1: begin A, acq m, rel m, acq m, rel m, end'),
    );
    expect(witnessOrder(violations[0])).toEqual({
      kind: 'before',
      firstAcquire: 4,
      firstRelease: 5,
      culpritAcquire: 1,
      culpritRelease: 2,
      secondAcquire: 6,
    });
  });

  it('is not known for what others report', () => {
    expect(witnessOrder({ kind: 'transaction', event: 3, thread: 0, block: null })).toBeNull();
    expect(witnessOrder({ kind: 'after', event: 3, thread: 0, block: null })).toBeNull();
  });
});

describe('the schedule of a witness', () => {
  it('is the observed one if that shows it', () => {
    expect(witness('t1: begin A, acq m, rel m; t2: acq m, rel m; t1: acq m, rel m, end')).toBe(
      't1: begin A, acq m, rel m; t2: acq m, rel m; t1: acq m',
    );
  });

  it('moves the culprit forward into the window', () => {
    expect(witness('t1: begin A, acq m, rel m, acq m, rel m, end; t2: r y, acq m, rel m, w y')).toBe(
      't1: begin A, acq m, rel m; t2: r y, acq m, rel m; t1: acq m',
    );
  });

  it('moves the first section forward to before the culprit', () => {
    expect(witness('t2: acq m, rel m; t1: begin A, acq m, rel m, acq m, rel m, end')).toBe(
      't1: begin A, acq m, rel m; t2: acq m, rel m; t1: acq m',
    );
  });

  it('takes along what the moved section comes after, and nothing else', () => {
    const observed = `
      t1: begin A, acq m, rel m, acq m, rel m, end
      t3: acq n, w y, rel n, r z
      t2: acq n, r y, rel n, acq m, rel m`;
    expect(witness(observed)).toBe(
      't1: begin A, acq m, rel m; t3: acq n, w y, rel n; t2: acq n, r y, rel n, acq m, rel m; t1: acq m',
    );
  });

  it('starts threads that have to be forked first', () => {
    const observed = 't1: fork t2, begin A, acq m, rel m, acq m, rel m, end; t2: fork t3; t3: acq m, rel m';
    expect(witness(observed)).toBe(
      't1: fork t2, begin A, acq m, rel m; t2: fork t3; t3: acq m, rel m; t1: acq m',
    );
  });

  it('lets others give back the locks that the moved section needs', () => {
    const observed = `
      t3: acq n, fork t1, fork t2
      t1: begin A, acq m, rel m, acq m, rel m, end, acq o, rel o
      t3: acq o, rel o, rel n
      t2: acq m, acq n, rel n, rel m`;
    expect(witness(observed)).toBe(
      't3: acq n, fork t1, fork t2; t1: begin A, acq m, rel m; t2: acq m; t3: acq o, rel o, rel n; ' +
        't2: acq n, rel n, rel m; t1: acq m',
    );
  });

  it('is not found if there is none', () => {
    const observed = trace('t1: begin A, acq m, rel m, acq m, fork t2, rel m, end; t2: acq m, rel m');
    const order = {
      kind: 'after' as const,
      firstAcquire: 2,
      firstRelease: 3,
      secondAcquire: 4,
      culpritAcquire: 8,
      culpritRelease: 9,
    };
    expect(witnessSchedule(() => observed.batches(), order)).toBeNull();
  });
});
