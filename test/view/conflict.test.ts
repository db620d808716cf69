import { describe, expect, it } from 'vitest';
import { Op } from '../../src/trace/operation.ts';
import { conflict } from '../../src/view/conflict.ts';

/** Whether an operation of one thread conflicts with a later one of another on the same object, asked both ways. */
function conflicts(first: Op, second: Op): boolean {
  const earlier = { event: 1, thread: 0, op: first, operand: 7 };
  const later = { event: 2, thread: 1, op: second, operand: 7 };
  expect(conflict(later, earlier)).toBe(conflict(earlier, later));
  return conflict(earlier, later);
}

describe('the viewer takes for conflicts', () => {
  it('volatile accesses as it does plain ones', () => {
    expect(conflicts(Op.volatileRead, Op.write)).toBe(true);
    expect(conflicts(Op.volatileRead, Op.read)).toBe(false);
    expect(conflicts(Op.update, Op.volatileUpdate)).toBe(false);
    expect(conflicts(Op.volatileWrite, Op.volatileWrite)).toBe(true);
  });

  it('what is received after it was sent, and not the other way round', () => {
    expect(conflicts(Op.send, Op.receive)).toBe(true);
    expect(conflicts(Op.receive, Op.send)).toBe(false);
    expect(conflicts(Op.send, Op.send)).toBe(false);
    expect(conflicts(Op.notify, Op.wait)).toBe(true);
    expect(conflicts(Op.send, Op.wait)).toBe(false);
  });

  it('arrivals at a barrier with departures, and with no lock of that name', () => {
    expect(conflicts(Op.arrive, Op.leave)).toBe(true);
    expect(conflicts(Op.arrive, Op.arrive)).toBe(false);
    expect(conflicts(Op.arrive, Op.acquire)).toBe(false);
    expect(conflicts(Op.acquire, Op.release)).toBe(true);
  });
});
