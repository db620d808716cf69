import { describe, expect, it } from 'vitest';
import type { ViolationResult } from '../../src/check/result.ts';
import { adviceFor } from '../../src/report/advice/index.ts';
import { HOSTILE_NAMES, hostileViolation, OBEYED } from './hostile.ts';
import { event, violation } from './results.ts';

/** A violation whose pattern is that of these accesses to `x`, the second one by another thread. */
function pattern(name: string, [first, between, last]: string): ViolationResult {
  return violation({
    pattern: name,
    interference: {
      first: event(2, 'T0', `${first}(x)`),
      between: event(3, 'T1', `${between}(x)`),
      last: event(4, 'T0', `${last}(x)`),
    },
  });
}

/** A cycle of these conflicts: `T0 r(x) > T1 w(x)`, with events numbered as they come. */
function cycle(...conflicts: string[]): ViolationResult {
  let number = 1;
  const one = (text: string) => {
    const [thread, op] = text.split(' ');
    return event(++number, thread, op);
  };
  const pairs = conflicts.map((conflict) => conflict.split(' > ').map(one));
  return violation({
    pattern: 'multi-variable-cycle',
    interference: null,
    cycle: pairs.map(([from, to]) => ({ from, to })),
  });
}

describe('the advice about a trace', () => {
  it.each([
    ['lost-update', 'rww', /check-then-act/, /Hold one lock from event 2 to event 4/],
    ['overwritten-before-read', 'wwr', /not its own/, /Keep the value in a variable/],
    ['overwritten-twice', 'www', /is lost/, /Write 'x' once/],
    ['unrepeatable-read', 'rwr', /non-repeatable read/, /Read 'x' once/],
    ['intermediate-value-seen', 'wrw', /dirty read/, /write 'x' once/],
  ])('about %s says why, by the events, and what to change', (name, accesses, why, fix) => {
    const advice = adviceFor(pattern(name, accesses));
    expect(advice.why).toMatch(why);
    for (const number of [2, 3, 4]) expect(advice.why).toMatch(new RegExp(`events?[^.]* ${number}\\b`));
    expect(advice.fix).toMatch(fix);
  });

  it('knows write skew', () => {
    const { why, fix } = adviceFor(cycle('T0 r(x) > T1 w(x)', 'T1 r(y) > T0 w(y)'));
    expect(why).toMatch(/'x' and 'y'.*\(write skew\)/);
    expect(fix).toMatch(/same lock before they read/);
  });

  it('knows a block of two critical sections', () => {
    const { why } = adviceFor(cycle('T0 rel(l) > T1 acq(l)', 'T1 rel(m) > T0 acq(m)'));
    expect(why).toMatch(/gives up 'l' \(event 2\) and takes 'm' later \(event 5\), and 'T1' had both/);
    const one = adviceFor(cycle('T0 rel(l) > T1 acq(l)', 'T2 rel(l) > T0 acq(l)'));
    expect(one.why).toMatch(/takes it again later \(event 5\), and 2 other threads had it/);
  });

  it('tells to follow the arrows of any other cycle', () => {
    expect(adviceFor(cycle('T0 w(x) > T1 r(x)', 'T1 w(y) > T0 r(y)')).why).toMatch(/^Follow the arrows/);
  });

  it('about a prediction says only what to change', () => {
    const race = violation({ kind: 'race', pattern: null, interference: null, cycle: [] });
    expect(adviceFor(race)).toEqual({
      name: 'race',
      sketch: [],
      why: null,
      fix: 'Protect every access to the variable by the same lock.',
    });
  });

  it.each(HOSTILE_NAMES)('can be printed with %s as a name', (_, name) => {
    const { why, fix } = adviceFor(hostileViolation(name));
    expect(`${why}${fix}`).not.toMatch(OBEYED);
    expect(`${why}${fix}`.length).toBeLessThan(2000);
  });
});
