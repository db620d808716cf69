import { describe, expect, it } from 'vitest';
import { examples } from '../support/examples.ts';
import { events, trace } from '../support/notation.ts';
import { judge } from './oracle.ts';

describe('the oracle on the examples', () => {
  it.each(examples())('$name: $about', ({ trace, ...expected }) => {
    const { serializable, firstEvent, violatedTransactions, violatedBlocks } = expected;
    expect(judge(trace)).toEqual({ serializable, firstEvent, violatedTransactions, violatedBlocks });
  });
});

/** Whether the middle of three turns comes between the two accesses of a block. */
function isBroken(notation: string): boolean {
  return judge(trace(notation)).serializable === false;
}

describe('conflicts', () => {
  it.each(['r x', 'u x'])('%s commutes with itself', (access) => {
    expect(isBroken(`t1: begin A, ${access}; t2: ${access}; t1: ${access}, end`)).toBe(false);
  });

  it.each([
    ['r x', 'w x'],
    ['r x', 'u x'],
    ['w x', 'r x'],
    ['w x', 'w x'],
    ['w x', 'u x'],
    ['u x', 'r x'],
    ['u x', 'w x'],
  ])('%s conflicts with %s', (inside, between) => {
    expect(isBroken(`t1: begin A, ${inside}; t2: ${between}; t1: ${inside}, end`)).toBe(true);
  });

  it('needs one variable', () => {
    expect(isBroken('t1: begin A, w x; t2: w y; t1: w x, end')).toBe(false);
  });

  it('takes a lock and a variable of one name for two things', () => {
    expect(isBroken('t1: begin A, w x; t2: acq x, rel x; t1: w x, end')).toBe(false);
  });

  it('orders what happens on one lock', () => {
    expect(isBroken('t1: begin A, acq l, rel l; t2: acq l, rel l; t1: acq l, rel l, end')).toBe(true);
  });

  it('does not see the inner pairs of re-entrant locking', () => {
    expect(isBroken('t1: begin A, acq l, acq l, rel l, rel l, end; t2: acq l, rel l')).toBe(false);
    const judgement = judge(trace('t1: acq l, begin A, acq l, r x, rel l; t2: w x; t1: w x, end, rel l'));
    expect(judgement).toMatchObject({ firstEvent: 7, violatedBlocks: [2] });
  });

  it('orders a fork before the child and the child before a join', () => {
    expect(isBroken('t1: begin A, fork t2; t2: r x; t1: join t2, end')).toBe(true);
    expect(isBroken('t1: begin A, fork t2; t2: r x; t1: end, join t2')).toBe(false);
  });

  it('orders nothing by a child that has no event', () => {
    expect(isBroken('t1: begin A, fork c, w x; t2: join c, w y; t1: r y, end')).toBe(false);
    expect(isBroken('t1: begin A, fork c, w x; c: r z; t2: join c, w y; t1: r y, end')).toBe(true);
  });
});

describe('transactions', () => {
  it('takes each event outside every block for itself', () => {
    // Were the two events of t2 one transaction, it would be both before and after A.
    expect(isBroken('t2: w x; t1: begin A, r x, w y; t2: r y; t1: end')).toBe(false);
    expect(isBroken('t2: begin B, w x; t1: begin A, r x, w y; t2: r y, end; t1: end')).toBe(true);
  });

  it('ends blocks that are open at the end of the trace there', () => {
    const open = judge(trace('t1: begin A, begin B, r x; t2: w x; t1: w x'));
    expect(open).toEqual({
      serializable: false,
      firstEvent: 5,
      violatedTransactions: [1],
      violatedBlocks: [1, 2],
    });
  });

  it('knows which of several nested blocks are violated', () => {
    const nested = 't1: begin A, r x, begin B, r y, end; t2: w x; t1: begin C, w x, end, end';
    expect(judge(trace(nested))).toMatchObject({ violatedTransactions: [1], violatedBlocks: [1] });
  });

  it('keeps looking for violated transactions after the first cycle', () => {
    const twice = 't1: begin A, r x; t2: w x; t1: w x, end, begin B, r x; t2: w x; t1: w x, end';
    expect(judge(events(twice))).toMatchObject({ firstEvent: 4, violatedTransactions: [1, 6] });
  });
});

describe('forks and joins as boundaries', () => {
  const boundary = { forkJoin: 'boundary' } as const;

  it('ends the transaction at the fork and at the join', () => {
    const child = trace('t1: begin A, fork c; c: w x; t1: join c, end');
    expect(judge(child, boundary)).toMatchObject({ serializable: true, violatedBlocks: [] });
    expect(
      judge(trace('t1: begin A, r x, fork c; c: w x; t1: join c, w x, end'), boundary).serializable,
    ).toBe(true);
  });

  it('calls a later piece by the number of the fork or join after which it starts', () => {
    const later = trace('t1: begin A, fork c, r x; t2: w x; t1: w x, end');
    expect(judge(later)).toMatchObject({ violatedTransactions: [1] });
    expect(judge(later, boundary)).toMatchObject({
      firstEvent: 5,
      violatedTransactions: [2],
      violatedBlocks: [2],
    });
  });

  it('cuts every open block', () => {
    const inner = trace('t1: begin A, begin B, r x, fork c, r x, end; t2: w x; t1: w x, end');
    expect(judge(inner)).toMatchObject({ violatedTransactions: [1], violatedBlocks: [1] });
    expect(judge(inner, boundary)).toMatchObject({ violatedTransactions: [4], violatedBlocks: [4] });
    const before = trace('t1: begin A, begin B, r x; t2: w x; t1: w x, fork c, end, end');
    expect(judge(before, boundary)).toMatchObject({ violatedTransactions: [1], violatedBlocks: [1, 2] });
    const after = trace('t1: begin A, begin B, fork c, r x; t2: w x; t1: w x, end, end');
    expect(judge(after, boundary)).toMatchObject({ violatedTransactions: [3], violatedBlocks: [3] });
  });

  it('finds no piece where nothing happens between two joins', () => {
    expect(judge(trace('t1: begin A, join c, join d, end'), boundary).serializable).toBe(true);
  });
});

describe('families', () => {
  const violatedFamilies = (notation: string) =>
    judge(trace(notation), { forkJoin: 'family' }).violatedBlocks;

  it('does not count what the children of a block do against it', () => {
    expect(violatedFamilies('t1: begin A, r x, fork c; c: w x; t1: join c, w x, end')).toEqual([]);
  });

  it('counts a check before and an act after the children as one block', () => {
    expect(violatedFamilies('t1: begin A, r x, fork c; c: r y; t2: w x; t1: join c, w x, end')).toEqual([1]);
  });

  it('counts what siblings do to the blocks of a child', () => {
    const siblings = 't1: begin A, fork c, fork d; c: begin B, r x; d: w x; c: w x, end; t1: join c, end';
    expect(violatedFamilies(siblings)).toEqual([4]);
  });

  it('counts the children of children', () => {
    expect(violatedFamilies('t1: begin A, r x, fork c; c: fork d; d: w x; t1: w x, end')).toEqual([]);
  });

  it('does not count a thread forked before the block', () => {
    expect(violatedFamilies('t1: fork c, begin A, r x; c: w x; t1: w x, end')).toEqual([2]);
  });

  it('keeps a block that nothing ends open until the trace ends', () => {
    expect(violatedFamilies('t1: begin A, w x, fork c; c: fork d; d: r x; c: join d')).toEqual([]);
  });

  it('closes a family at the end of its block, whatever a child does that was left behind', () => {
    expect(violatedFamilies('t1: begin A, w x, fork c; t2: r x, w y; c: r y; t1: end')).toEqual([1]);
    expect(violatedFamilies('t1: begin A, w x, fork c, end; t2: r x, w y; c: r y')).toEqual([]);
    expect(violatedFamilies('t1: begin A, fork c, end, w x; c: r x')).toEqual([]);
    expect(violatedFamilies('t1: begin A, w x, fork c, end; c: fork d; d: r x; c: join d')).toEqual([]);
  });

  it('gives no verdict on the trace', () => {
    expect(judge(trace('t1: r x'), { forkJoin: 'family' })).toMatchObject({
      serializable: null,
      firstEvent: null,
    });
  });
});
