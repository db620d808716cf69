import { describe, expect, it } from 'vitest';
import { sourcePlace } from '../../src/check/source-place.ts';
import { eventsOf } from '../../src/report/interleaving.ts';
import { primaryEvent } from '../../src/report/place.ts';
import { event, violation } from './results.ts';

describe('the place that a location names', () => {
  it.each([
    ['Bank.java:12', { path: 'Bank.java', line: 12, column: null }],
    ['src/bank.js:12:3', { path: 'src/bank.js', line: 12, column: 3 }],
    ['C:\\code\\bank.c:7', { path: 'C:\\code\\bank.c', line: 7, column: null }],
    ['file:///home/me/bank.js:7:1', { path: 'file:///home/me/bank.js', line: 7, column: 1 }],
    ['a:1:2:3', { path: 'a:1', line: 2, column: 3 }],
    ['bank.js:7:0', { path: 'bank.js', line: 7, column: null }],
  ])('%s', (location, place) => {
    expect(sourcePlace(location)).toEqual(place);
  });

  it.each([
    null,
    '',
    '345',
    '12:3',
    ':12',
    'Bank.java',
    'Bank.java:0',
    'Bank.java:9999999999',
    `${'x'.repeat(2000)}:1`,
  ])('is none for %j', (location) => {
    expect(sourcePlace(location)).toBeNull();
  });
});

describe('the event to show first', () => {
  const first = (changes: Parameters<typeof violation>[0]) => {
    const changed = violation(changes);
    return primaryEvent(changed, eventsOf(changed))?.event ?? null;
  };

  it('is the access that makes it wrong, though it was noticed at another', () => {
    expect(first({ event: 2 })).toBe(4);
  });

  it('is else where it was noticed, or in its thread, or anywhere', () => {
    const cycle = [{ from: event(2, 'T0', 'w(x)', 'a.js:1'), to: event(3, 'T1', 'r(x)', 'a.js:2') }];
    expect(first({ cycle, interference: null, event: 3 })).toBe(3);
    expect(first({ cycle, interference: null, event: 9 })).toBe(2);
    expect(first({ cycle, interference: null, event: 9, thread: 'T7' })).toBe(2);
  });

  it('is none where no place is known', () => {
    expect(first({ cycle: [], interference: null })).toBeNull();
  });
});
