import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../src/check/fingerprint.ts';
import type { ViolationResult } from '../../src/check/result.ts';
import { event, violation } from '../report/results.ts';

/** A lost update by other threads, at other events: the same bug, seen in another run. */
function elsewhere(changes: Partial<ViolationResult> = {}): ViolationResult {
  const first = event(102, 'worker-7', 'r(balance)', 'Bank.java:12');
  const between = event(250, 'worker-9', 'w(balance)', 'Bank.java:20');
  const last = event(251, 'worker-7', 'w(balance)', 'Bank.java:14');
  return violation({
    event: 251,
    thread: 'worker-7',
    block: { label: 'pay', begin: 101, end: 300 },
    cycle: [
      { from: first, to: between },
      { from: between, to: last },
    ],
    interference: { first, between, last },
    message: 'pay (thread worker-7) is not atomic',
    ...changes,
  });
}

const print = (changed: ViolationResult) => fingerprintOf('regiontrack', changed);

describe('a fingerprint', () => {
  it('is the same for the same violation in another run', () => {
    expect(print(elsewhere())).toBe(print(violation()));
  });

  it('is the same wherever a cycle without anybody to blame starts', () => {
    const nobody = violation({ kind: 'trace', block: null, interference: null });
    expect(print({ ...nobody, cycle: nobody.cycle.toReversed() })).toBe(print(nobody));
  });

  it.each<[string, Partial<ViolationResult>]>([
    ['kind', { kind: 'trace' }],
    ['pattern', { pattern: 'overwritten-twice' }],
    ['block', { block: { label: 'pay2', begin: 1, end: 5 } }],
    ['lack of a block', { block: null }],
    ['cycle', { cycle: [] }],
    [
      'line',
      { cycle: [{ from: event(2, 'T0', 'r(balance)', 'Bank.java:13'), to: event(3, 'T1', 'w(balance)') }] },
    ],
    ['variable', { interference: null }],
    ['part in the story', { related: [{ ...event(2, 'T0', 'r(x)'), role: 'first access' }] }],
  ])('differs by %s', (_, changes) => {
    expect(print(violation(changes))).not.toBe(print(violation()));
  });

  it('differs by analysis', () => {
    expect(fingerprintOf('velodrome', violation())).not.toBe(print(violation()));
  });

  it('does not confuse an operation and a location that look like others when put together', () => {
    const named = (op: string, location: string) =>
      print(violation({ cycle: [{ from: event(2, 'T0', op, location), to: event(3, 'T1', 'w(x)') }] }));
    expect(named('r(a)', 'b)c')).not.toBe(named('r(a","b)', ')c'));
    expect(named('r(\ud800)', 'x')).not.toBe(named('r(\ud801)', 'x'));
  });
});
