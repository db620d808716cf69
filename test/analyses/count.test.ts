import { expect, it } from 'vitest';
import { count } from '../../src/analyses/count/index.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

it('counts every operation', () => {
  const every = trace(
    't1: fork t2, begin A, r x, r x, w x, u x, acq l, rel l, end; t2: r x; t1: join t2, arrive b, vr x, vw x, vu x, send m, receive m, notify c, wait c',
  );
  expect(run(count, every).outcome).toEqual({
    serializable: null,
    firstEvent: null,
    statistics: {
      reads: 3,
      writes: 1,
      updates: 1,
      acquires: 1,
      releases: 1,
      forks: 1,
      joins: 1,
      arrivals: 1,
      leaves: 0,
      volatileReads: 1,
      volatileWrites: 1,
      volatileUpdates: 1,
      sends: 1,
      receives: 1,
      notifies: 1,
      waits: 1,
      begins: 1,
      ends: 1,
      transactions: 1,
      unaryTransactions: 11,
    },
  });
});

it('counts outermost blocks as transactions, also those that stay open', () => {
  const nested = trace('t1: begin A, begin B, r x, end, end; t2: r x, begin C, w x');
  expect(run(count, nested).outcome.statistics).toMatchObject({
    begins: 3,
    ends: 2,
    transactions: 2,
    unaryTransactions: 1,
  });
});

it('does not count the inner pairs of re-entrant locking', () => {
  expect(run(count, trace('t1: acq l, acq l, rel l, rel l')).outcome.statistics).toMatchObject({
    acquires: 1,
    releases: 1,
    unaryTransactions: 2,
  });
});

it('copes with more threads than it first made room for', () => {
  const many = Array.from({ length: 100 }, (_, i) => `t${i}: begin A, r x, end, w y`).join('; ');
  expect(run(count, trace(many)).outcome.statistics).toMatchObject({
    transactions: 100,
    unaryTransactions: 100,
  });
});
