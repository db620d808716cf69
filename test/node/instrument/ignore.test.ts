import { expect, test } from 'vitest';
import { instrument } from '../../../src/node/instrument/instrument.ts';
import { becomes, DEFAULTS, sitesOf } from '../../support/instrumented-text.ts';

test('accesses of the line after the comment are not recorded', () => {
  const source = 'a.p = 1;\n// trackside-ignore-next-line only a statistic\nb.p = c.q;\nd.p = 1;';
  expect(becomes(source).split('\n')).toEqual([
    'a.p = write(a,"p",s,1);',
    '// trackside-ignore-next-line only a statistic',
    'b.p = c.q;',
    'd.p = write(d,"p",s,1);',
  ]);
});

test('a block comment does the same, and so for variables and containers', () => {
  const source =
    'let n = 0; f = () => {\n/* trackside-ignore-next-line: a gauge */\nn++; m.set(n, [...o]);\n}';
  expect(becomes(source).split('\n')[2]).toBe('n++; kept(m.set(n, [...o]));');
});

test('calls of Atomics, which would be found by other means, are told so', () => {
  const source = '// trackside-ignore-next-line only a statistic\nAtomics.add(a, 0, 1);';
  expect(becomes(source).split('\n')[1]).toBe('Atomics.add(a, 0, 1,announce(-1,false));');
});

test('a function that begins on the line is followed, but is no block', () => {
  const source = '// trackside-ignore-next-line a loop that never ends\nasync function serve() { await x }';
  expect(becomes(source)).toContain(
    'const a=enter(s);try{ resume(a,await suspend(a,x,s),true) }finally{exit(a)}',
  );
  expect(sitesOf(source)).toContain('2:1 -2');
  expect(sitesOf(source.replace('ignore', 'keep'))).toContain('2:1 serve');
});

test('a comment without a reason is answered by a warning with its place', () => {
  const { warnings } = instrument('x.y = 1;\n  // trackside-ignore-next-line\nx.y = 2;', DEFAULTS);
  expect(warnings).toEqual([
    'file.js:2:3: trackside-ignore-next-line without a reason; write why this line may be ignored after it',
  ]);
});

test('other comments that begin alike ignore nothing', () => {
  expect(becomes('// trackside-ignore-next-lines please\nx.y = 1')).toContain('write(');
});

test('a comment before a line with nothing to ignore is listed', () => {
  const source = 'x.y = 1;\n// trackside-ignore-next-line it was a gauge\nfunction f() {}\n';
  expect(instrument(source, DEFAULTS).warnings).toEqual([
    'file.js:2:1: trackside-ignore-next-line is not used: nothing on the next line is watched; remove it',
  ]);
});
