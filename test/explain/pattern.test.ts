import { describe, expect, it } from 'vitest';
import { trace } from '../support/notation.ts';
import { explainBlocks, onlyWitness } from './support.ts';

/** The pattern and severity of the only violated block. */
function patternIn(notation: string): string {
  const { witness } = onlyWitness(explainBlocks(trace(notation)));
  return `${witness.pattern}, ${witness.severity}`;
}

/** Two accesses of a block, and one of another thread between them. */
function patternOf(first: string, between: string, last: string): string {
  return patternIn(`t1: begin A, ${first} x; t2: ${between} x; t1: ${last} x, end`);
}

describe('the pattern of accesses to one variable', () => {
  it.each([
    ['r', 'w', 'w', 'lost-update, error'],
    ['w', 'w', 'r', 'overwritten-before-read, error'],
    ['w', 'w', 'w', 'overwritten-twice, warning'],
    ['r', 'w', 'r', 'unrepeatable-read, warning'],
    ['w', 'r', 'w', 'intermediate-value-seen, warning'],
  ])('%s %s’ %s is %s', (first, between, last, pattern) => {
    expect(patternOf(first, between, last)).toBe(pattern);
  });

  it.each([
    ['r', 'u', 'w', 'lost-update, error'],
    ['r', 'w', 'u', 'lost-update, error'],
    ['r', 'u', 'r', 'unrepeatable-read, warning'],
    ['w', 'u', 'r', 'overwritten-before-read, error'],
    ['u', 'w', 'r', 'overwritten-before-read, error'],
    ['u', 'w', 'w', 'overwritten-twice, warning'],
    ['w', 'u', 'w', 'overwritten-twice, warning'],
    ['u', 'w', 'u', 'overwritten-twice, warning'],
    ['w', 'w', 'u', 'overwritten-twice, warning'],
    ['u', 'r', 'w', 'intermediate-value-seen, warning'],
    ['u', 'r', 'u', 'intermediate-value-seen, warning'],
  ])('takes an update for a write: %s %s’ %s is %s', (first, between, last, pattern) => {
    expect(patternOf(first, between, last)).toBe(pattern);
  });

  it('names the three accesses, each nearest to the one between', () => {
    const { witness } = onlyWitness(
      explainBlocks(trace('t1: begin A, r x, r x; t2: w x, w x; t1: r y, w x, w x, end')),
    );
    const { first, between, last } = witness.interference!;
    expect([first.event, between.event, last.event]).toEqual([3, 4, 7]);
  });

  it('prefers the worse of two that are completed by one access', () => {
    expect(patternIn('t1: begin A, w x, r x; t2: w x; t1: w x, end')).toBe('lost-update, error');
    expect(patternIn('t1: begin A, r x, w x; t2: w x; t1: r x, end')).toBe('overwritten-before-read, error');
  });
});

describe('a cycle over several variables', () => {
  it('is called one', () => {
    expect(patternIn('t1: begin A, r x; t2: w x, w y; t1: r y, end')).toBe('multi-variable-cycle, warning');
  });

  it('is called one when it goes over locks alone', () => {
    const twoSections = 't1: begin A, acq m, rel m; t2: acq m, rel m; t1: acq m, rel m, end';
    expect(patternIn(twoSections)).toBe('multi-variable-cycle, warning');
  });

  it('is not called one if a variable on the way is accessed twice', () => {
    expect(patternIn('t1: begin A, r y, r x; t2: w y, w x; t1: r x, end')).toBe('unrepeatable-read, warning');
  });
});

describe('what the block does after the violation was noticed', () => {
  const deposit = 't1: begin deposit, acq m, r balance, rel m; t2: acq m, w balance, rel m; t1: acq m';

  it('names the pattern that two critical sections hide', () => {
    const { witness } = onlyWitness(explainBlocks(trace(`${deposit}, w balance, rel m, end`)));
    expect(witness.pattern).toBe('lost-update');
    expect(witness.cycle.map(({ to }) => to.event)).toEqual([5, 8]);
    expect(witness.interference).toMatchObject({
      first: { event: 3 },
      between: { event: 6 },
      last: { event: 9 },
    });
  });

  it('may be milder', () => {
    expect(patternIn(`${deposit}, r balance, rel m, end`)).toBe('unrepeatable-read, warning');
    expect(patternIn(`${deposit}, rel m, end`)).toBe('multi-variable-cycle, warning');
  });

  it('makes a check and a late act an error, though the violation is noticed at the read in the act', () => {
    const { witness } = onlyWitness(
      explainBlocks(trace('t1: begin buy, r stock; t2: r stock, w stock; t1: r stock, w stock, end')),
    );
    expect(witness).toMatchObject({ pattern: 'lost-update', severity: 'error' });
    expect(witness.cycle.at(-1)!.to.event).toBe(5);
  });

  it('counts with what others did between', () => {
    expect(patternIn('t1: begin A, r x, r y; t2: w y; t1: r y; t2: w x; t1: w x, end')).toBe(
      'lost-update, error',
    );
  });

  it('does not count once the block is over', () => {
    expect(patternIn('t1: begin A, r x; t2: w x; t1: r x, end, w x')).toBe('unrepeatable-read, warning');
  });

  it('counts inside blocks nested in it, and not for those', () => {
    const nested = 't1: begin A, r x; t2: w x; t1: begin B, r x, end, w x, end';
    expect(patternIn(nested)).toBe('lost-update, error');
  });
});
