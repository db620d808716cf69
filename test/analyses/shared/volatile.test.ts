import { describe, expect, it } from 'vitest';
import { analysesNamed } from '../../../src/analyses/registry.ts';
import { trace } from '../../support/notation.ts';
import { run } from '../../support/run.ts';
import { blamed, found, serializable } from './verdicts.ts';

describe('a volatile access', () => {
  it('conflicts as a plain one does, with volatile ones and with plain ones', () => {
    expect(serializable('t1: begin A, vr x; t2: vw x; t1: vw x, end')).toBe(false);
    expect(serializable('t1: begin A, vr x; t2: w x; t1: vw x, end')).toBe(false);
    expect(serializable('t1: begin A, r x; t2: vw x; t1: w x, end')).toBe(false);
    expect(serializable('t1: begin A, vr x; t2: r x; t1: vr x, end')).toBe(true);
    expect(serializable('t1: begin A, vu x; t2: u x; t1: u x, end')).toBe(true);
    expect(serializable('t1: begin A, vu x; t2: vr x; t1: u x, end')).toBe(false);
  });

  it.each(analysesNamed('regiontrack,atomsanitizer,aerodrome,aerodrome-basic,velodrome,doublechecker'))(
    '$name: is shown in the same words as a plain one',
    (analysis) => {
      const plain = run(analysis, trace('t1: begin A, r x; t2: u x; t1: r y, w x, end'));
      const volatile = run(analysis, trace('t1: begin A, vr x; t2: vu x; t1: vr y, vw x, end'));
      expect(volatile.violations).toEqual(plain.violations);
    },
  );

  it.each(['reduction', 'atomizer', 'block', 'commit-node-conflict'])(
    '%s: is one that no lock protects, unless one does',
    (name) => {
      const twice = (op: string) => `t1: begin A, vr x, vw x, end; t2: ${op}; t1: begin A, vr x, vw x, end`;
      expect(blamed(name, twice('vw x'))).toEqual(['A']);
      expect(blamed(name, twice('w x'))).toEqual(['A']);
      expect(blamed(name, twice('vw y'))).toEqual([]);
      const locked = 't1: begin A, acq l, vr x, vw x, rel l, end;';
      expect(blamed(name, `${locked} t2: acq l, vw x, rel l; ${locked}`)).toEqual([]);
    },
  );
});

describe('fasttrack', () => {
  const races = (notation: string) => found('fasttrack', notation);

  it('has no race between volatile accesses', () => {
    expect(races('t1: vw x; t2: vw x; t3: vr x; t1: vu x')).toBe(0);
  });

  it('has races of volatile accesses with plain ones', () => {
    expect(races('t1: vw x; t2: r x')).toBe(1);
    expect(races('t1: w x; t2: vr x')).toBe(1);
    expect(races('t1: vr x; t2: r x')).toBe(0);
    expect(races('t1: vu x; t2: u x')).toBe(0);
  });

  it('orders what comes before a volatile write before what comes after a later volatile read', () => {
    expect(races('t1: w x, vw f; t2: vr f, r x')).toBe(0);
    expect(races('t1: w x, vw f; t2: vu f, r x')).toBe(0);
    expect(races('t1: w x, vr f; t2: vw f, r x')).toBe(1);
    expect(races('t1: w x, vw f; t2: vw f, r x')).toBe(1);
    expect(races('t1: w x, w f; t2: vr g, r x')).toBe(1);
  });

  it('tells of the first race of a variable only, and of the latest access that races', () => {
    const { violations } = run(analysesNamed('fasttrack')[0], trace('t1: w x; t2: vw x; t3: vw x; t4: r x'));
    expect(violations.map(({ cycle }) => cycle)).toEqual([[{ from: 1, to: 2 }]]);
    const mixed = run(analysesNamed('fasttrack')[0], trace('t1: vw x; t2: vw x; t3: r x; t4: w x'));
    expect(mixed.violations.map(({ cycle }) => cycle)).toEqual([[{ from: 2, to: 3 }]]);
  });
});

it('eraser asks no lock of volatile accesses', () => {
  expect(found('eraser', 't1: w x; t2: w x')).toBe(1);
  expect(found('eraser', 't1: vw x; t2: vw x; t1: vu x; t2: vr x')).toBe(0);
});

it('goodlock: volatile accesses order no locks', () => {
  expect(
    found('goodlock', 't1: acq l, acq m, rel m, rel l, vw f; t2: vr f, acq m, acq l, rel l, rel m'),
  ).toBe(1);
});

it('sidetrack: what comes after a flag was seen cannot come before it was set', () => {
  const sections = (set: string, seen: string) =>
    `t1: begin A, acq m, rel m, acq m, rel m, ${set}, end; t2: ${seen}, acq m, rel m`;
  expect(blamed('sidetrack', sections('vw f', 'vr g'))).toEqual(['A']);
  expect(blamed('sidetrack', sections('vw f', 'vr f'))).toEqual([]);
  expect(blamed('sidetrack', sections('vr f', 'vw f'))).toEqual([]);
  expect(blamed('sidetrack', sections('vr f', 'vr f'))).toEqual(['A']);
  expect(blamed('sidetrack', sections('vu f', 'vu f'))).toEqual(['A']);
});
