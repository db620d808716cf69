import { describe, expect, it } from 'vitest';
import { LockOrder } from '../../src/analyses/sidetrack/lock-order.ts';

const [a, b, c, d] = [0, 1, 2, 3];

function order(...nestings: [number, number][]): LockOrder {
  const order = new LockOrder();
  order.reserveLock(99);
  for (const [outer, inner] of nestings) order.nest(outer, inner);
  return order;
}

/** Whether who holds the lock releases it while others keep those to avoid. */
function isClear(order: LockOrder, lock: number, ...avoided: number[]): boolean {
  order.startSearch();
  for (const other of avoided) order.avoid(other);
  return order.isClear(lock);
}

describe('a lock is sure to be released', () => {
  it('if nothing was ever acquired inside', () => {
    expect(isClear(order([a, b]), b, a)).toBe(true);
    expect(order([a, b]).isLeaf(b)).toBe(true);
    expect(order([a, b]).isLeaf(a)).toBe(false);
  });

  it('unless those who hold it wait for one that is kept, however far away', () => {
    const chain = order([a, b], [b, c], [c, d]);
    expect(isClear(chain, a)).toBe(true);
    expect(isClear(chain, a, d)).toBe(false);
    expect(isClear(chain, b, a)).toBe(true);
  });

  it('unless those it depends on wait for each other', () => {
    expect(isClear(order([a, b], [b, c], [c, b]), a)).toBe(false);
    expect(isClear(order([a, b], [a, c], [b, d], [c, d]), a)).toBe(true);
  });

  it('unless a thread was joined inside', () => {
    const joined = order([a, b]);
    joined.wait(b);
    expect(isClear(joined, a)).toBe(false);
    expect(joined.isLeaf(b)).toBe(false);
  });

  it('as far as it can be told with a bounded search', () => {
    const many = order(...Array.from({ length: 9 }, (_, i): [number, number] => [a, i + 1]));
    expect(isClear(many, a)).toBe(false);
    const long = order(...Array.from({ length: 80 }, (_, i): [number, number] => [i, i + 1]));
    expect(isClear(long, 0)).toBe(false);
    expect(isClear(long, 30)).toBe(true);
  });
});
