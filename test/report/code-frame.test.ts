import { describe, expect, it } from 'vitest';
import type { SourceResult, ViolationResult } from '../../src/check/result.ts';
import { codeFrames } from '../../src/report/code-frame.ts';
import { displayWidth } from '../../src/report/layout.ts';
import { event, violation } from './results.ts';

/** One file, from its first line on. */
function file(...lines: string[]): SourceResult[] {
  return [{ path: 'a.mjs', excerpts: [{ firstLine: 1, lines }] }];
}

/** A read, a write of another thread and a write, at these places of the file. */
function at(first: string, between: string, last: string, awaits?: string[]): ViolationResult {
  return violation({
    block: { label: 'pay', begin: 1, end: 5, location: null },
    interference: {
      first: event(2, 'T0', 'r(x)', `a.mjs:${first}`),
      between: event(3, 'T1', 'w(x)', `a.mjs:${between}`),
      last: event(4, 'T0', 'w(x)', `a.mjs:${last}`),
    },
    ...(awaits === undefined ? {} : { facts: { variable: 'property', wasAbsent: false, awaits } }),
  });
}

/** What the caret of each note points at: the character above it, in columns of a terminal. */
function pointedAt(frame: readonly string[]): string[] {
  let code = '';
  const found: string[] = [];
  for (const line of frame) {
    const [, number, text] = /^ *(\d*) │ ?(.*)$/.exec(line) ?? [];
    if (text === undefined) continue;
    if (number !== '') code = text;
    const caret = /(?:^|.)\^/.exec(text);
    if (number !== '' || caret === null) continue;
    const column = displayWidth(text.slice(0, text.indexOf('^')));
    const characters = [...code];
    while (displayWidth(characters.join('')) > column + 1) characters.pop();
    found.push(characters.at(-1) ?? '');
  }
  return found;
}

describe('the carets of a code frame', () => {
  it.each([40, 60, 80, 120])(
    'point at their columns at %i columns, in short lines and long ones',
    (width) => {
      const long = `${'call(one, two, three); '.repeat(9)}Rest();`;
      const source = file('  let x = Read();', long, `  ${'y'.repeat(70)}(Write)`);
      const column = long.indexOf('Rest') + 1;
      const frame = [...codeFrames(at('1:11', `2:${column}`, '3:74'), source, width)];
      expect(pointedAt(frame)).toEqual(['R', 'R', 'W']);
      for (const line of frame) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
    },
  );

  it('are not moved by tabs, wide characters and what cannot be printed', () => {
    const source = file('\t\tif (a) Read();', "const 漢字 = '🦊' + Between;", "'\x1b' + \u200bWrite;");
    const frame = [...codeFrames(at('1:10', '2:19', '3:8'), source, 80)];
    expect(pointedAt(frame)).toEqual(['R', 'B', 'W']);
  });

  it('find both of two places that are too far apart for one line', () => {
    const line = `First${' + 1'.repeat(50)} + Second`;
    const frame = [...codeFrames(at('1:1', `1:${line.indexOf('Second') + 1}`, '1:1'), file(line), 60)];
    expect(pointedAt(frame)).toEqual(['F', 'F', 'S']);
  });

  it('know what was left out at the start of a line', () => {
    const [{ path }] = file();
    const sources = [{ path, excerpts: [{ firstLine: 1, lines: ['…abcXdef…'], skipped: [1000] }] }];
    const frame = [...codeFrames(at('1:1004', '1:1004', '1:1004'), sources, 80)];
    expect(pointedAt(frame)).toEqual(['X', 'X', 'X']);
  });
});

describe('a code frame', () => {
  it('marks the await at which other tasks came in', () => {
    const source = file('const old = total;', 'const price = await ask();', 'total = old + price;');
    expect([...codeFrames(at('1:13', '3:1', '3:1', ['a.mjs:2:15']), source, 60)]).toEqual([
      '',
      'a.mjs',
      '   1 │ const old = total;',
      '     │             ^ event 2: T0 reads x',
      '   2 │ const price = await ask();',
      '     │               ^ other tasks run here',
      '   3 │ total = old + price;',
      '     │ ^ event 3: T1 writes x',
      '     │ ^ event 4: T0 writes x',
    ]);
  });
});
