import { describe, expect, it } from 'vitest';
import { BarrierRounds } from '../../src/trace/barrier-rounds.ts';

const B = 0;

describe('the rounds of a barrier', () => {
  it('begin anew when somebody has left', () => {
    const rounds = new BarrierRounds();
    const first = rounds.arrive(1, B);
    expect(rounds.arrive(2, B)).toBe(first);
    expect(rounds.leave(1, B)).toBe(first);
    const second = rounds.arrive(1, B);
    expect(second).not.toBe(first);
    expect(rounds.leave(2, B)).toBe(first);
    expect(rounds.arrive(2, B)).toBe(second);
  });

  it('need not have the same threads', () => {
    const rounds = new BarrierRounds();
    const first = rounds.arrive(1, B);
    rounds.leave(1, B);
    const second = rounds.arrive(2, B);
    expect(second).not.toBe(first);
    expect(rounds.arrive(1, B)).toBe(second);
  });

  it('are over when all have left, and their numbers are used again only then', () => {
    const rounds = new BarrierRounds();
    const first = rounds.arrive(1, B);
    rounds.arrive(2, B);
    rounds.leave(1, B);
    expect(rounds.isOver(first)).toBe(false);
    rounds.leave(2, B);
    expect(rounds.isOver(first)).toBe(true);
    expect(rounds.arrive(1, B)).not.toBe(first);
    rounds.giveBack(first);
    expect(rounds.arrive(1, 7)).toBe(first);
    expect(rounds.isInside(1, 7)).toBe(true);
    expect(rounds.isInside(2, 7)).toBe(false);
  });
});
