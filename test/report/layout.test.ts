import { describe, expect, it } from 'vitest';
import {
  counted,
  displayWidth,
  duration,
  fitted,
  fittedPath,
  hanging,
  table,
  wrap,
} from '../../src/report/layout.ts';

describe('displayWidth', () => {
  it.each([
    ['plain', 5],
    ['größe', 5],
    ['日本語', 6],
    ['🦊', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('fitted', () => {
  it('keeps both ends of a name that is too long', () => {
    expect(fitted('abcdefghij', 10)).toBe('abcdefghij');
    expect(fitted('abcdefghijk', 10)).toBe('abcd…hijk');
  });

  it('counts what escaping adds, and characters that are twice as wide', () => {
    expect(displayWidth(fitted('\x1b'.repeat(50), 12))).toBeLessThanOrEqual(12);
    expect(displayWidth(fitted('日'.repeat(50), 12))).toBeLessThanOrEqual(12);
  });
});

describe('fittedPath', () => {
  it('keeps the end of a path, and calls standard input by its name', () => {
    expect(fittedPath('traces/2026/run.std', 12)).toBe('…026/run.std');
    expect(fittedPath('run.std', 12)).toBe('run.std');
    expect(fittedPath('-', 20)).toBe('standard input');
  });
});

describe('wrap and hanging', () => {
  it('break at spaces, and a word that is too long anywhere', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('a verylongword b', 5)).toEqual(['a', 'veryl', 'ongwo', 'rd b']);
    expect(wrap('日本語 🦊🦊🦊', 5)).toEqual(['日本', '語', '🦊🦊', '🦊']);
    expect(hanging('one two three', 9)).toBe('one two\n  three');
  });
});

describe('table', () => {
  it('sets words to the left and numbers to the right', () => {
    const columns = [
      { title: 'name', align: 'left' },
      { title: 'n', align: 'right' },
    ] as const;
    expect(
      table(
        columns,
        [
          ['日本', '1'],
          ['x', '100'],
        ],
        '> ',
      ),
    ).toEqual(['> name    n', '> 日本    1', '> x     100']);
  });
});

describe('figures', () => {
  it.each([
    [0, '0.0 ms'],
    [9.94, '9.9 ms'],
    [12.3, '12 ms'],
    [999, '999 ms'],
    [1234, '1.2 s'],
    [59_999, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('%d milliseconds are %s', (milliseconds, words) => {
    expect(duration(milliseconds)).toBe(words);
  });

  it('agree with their nouns', () => {
    expect([counted(0, 'block'), counted(1, 'block'), counted(1234, 'block')]).toEqual([
      '0 blocks',
      '1 block',
      '1,234 blocks',
    ]);
  });
});
