import { describe, expect, it } from 'vitest';
import { EMPTY, Locksets } from '../../../src/analyses/shared/locksets.ts';
import { Random } from '../../support/random-traces.ts';

function setOf(locksets: Locksets, locks: readonly number[]): number {
  return locks.reduce((set, lock) => locksets.with(set, lock), EMPTY);
}

/** The locks from 0 to 7 in random order, some of them left out. */
function someLocks(random: Random): number[] {
  const locks: number[] = [];
  for (let lock = 0; lock < 8; lock++)
    if (random.oneIn(2)) locks.splice(random.below(locks.length + 1), 0, lock);
  return locks;
}

describe('locksets', () => {
  it('have one number for each set, in whatever order it is made', () => {
    const locksets = new Locksets();
    expect(setOf(locksets, [3, 1, 2])).toBe(setOf(locksets, [2, 3, 1]));
    expect(setOf(locksets, [1, 2])).not.toBe(setOf(locksets, [1, 3]));
  });

  it('stay the same with a lock that they have', () => {
    const locksets = new Locksets();
    expect(setOf(locksets, [1, 2, 3, 1, 3])).toBe(setOf(locksets, [1, 2, 3]));
  });

  it('have in common what plain sets have', () => {
    const locksets = new Locksets();
    const random = new Random(1);
    for (let i = 0; i < 3000; i++) {
      const a = someLocks(random);
      const b = someLocks(random);
      const common = a.filter((lock) => b.includes(lock));
      expect(locksets.intersection(setOf(locksets, a), setOf(locksets, b))).toBe(setOf(locksets, common));
      expect(locksets.areDisjoint(setOf(locksets, a), setOf(locksets, b))).toBe(common.length === 0);
    }
    expect(locksets.count).toBe(256);
  });
});
