import { describe, expect, it } from 'vitest';
import { nearest, unknownName } from '../../src/trace/unknown-name.ts';

const KNOWN = ['regiontrack', 'velodrome', 'aerodrome', 'aerodrome-basic', 'std', 'csv'];

describe('nearest', () => {
  it.each([
    ['velodrom', 'velodrome'],
    ['Velodrome', 'velodrome'],
    ['regoin track', 'regiontrack'],
    ['region', 'regiontrack'],
    ['sdt', 'std'],
    ['cvs', 'csv'],
    ['areodrome', 'aerodrome'],
  ])('%s was probably meant to be %s', (typed, meant) => {
    expect(nearest(typed, KNOWN)).toBe(meant);
  });

  it.each(['', 'sarif', 'xyz', 'x'.repeat(100_000)])('%.20s is like nothing known', (typed) => {
    expect(nearest(typed, KNOWN)).toBeNull();
  });
});

describe('unknownName', () => {
  it('says what was meant and what there is, and is safe to print', () => {
    expect(unknownName('format', 'st\x1b', ['std', 'csv']).describe()).toBe(
      "unknown format 'st\\x1b' (did you mean 'std'?); expected one of std, csv",
    );
  });
});
