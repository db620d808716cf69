import { describe, expect, it } from 'vitest';
import { literalGlob, matchesGlob } from '../../src/spec/glob.ts';
import { excludingLine, matchesLabel, Specification } from '../../src/spec/specification.ts';
import { Random } from '../support/random-traces.ts';

describe('globs', () => {
  it.each([
    ['Bank.*', 'Bank.pay', true],
    ['Bank.*', 'Banker.pay', false],
    ['*.pay', 'a.b.pay', true],
    ['*pay*', 'repayment', true],
    ['?', 'ab', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['', '', true],
    ['*', '', true],
    ['run([Ljava/lang/String;)V', 'run([Ljava/lang/String;)V', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['\\?x', '?x', true],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('do not take forever on a hostile pattern', () => {
    expect(matchesGlob(`${'*a'.repeat(2000)}b`, 'a'.repeat(5000))).toBe(false);
  });

  it('can be made to match a text literally', () => {
    const label = 'a*b?c\\d[e]';
    expect(matchesGlob(literalGlob(label), label)).toBe(true);
    expect(matchesGlob(literalGlob(label), 'aXbYc\\d[e]')).toBe(false);
  });
});

describe('a specification', () => {
  it('takes every block for atomic by default', () => {
    expect(new Specification().isAtomic('anything')).toBe(true);
  });

  it('leaves out what --exclude names', () => {
    const specification = new Specification().exclude('*.run').exclude('main');
    expect(['Worker.run', 'main', 'Bank.pay'].map((label) => specification.isAtomic(label))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('leaves out what --only does not name, and --exclude inside it', () => {
    const specification = new Specification().only('Bank.*').exclude('*.toString');
    expect(['Bank.pay', 'Bank.toString', 'Cache.get'].map((label) => specification.isAtomic(label))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('reads files: globs, comments, negation, the last match decides', () => {
    const specification = new Specification().addFile('# not atomic\r\nBank.*\n\n!Bank.pay\n  Cache.get  \n');
    expect(
      ['Bank.audit', 'Bank.pay', 'Cache.get', 'Cache.set'].map((label) => specification.isAtomic(label)),
    ).toEqual([false, true, false, true]);
  });

  it('reads plain lists of methods, with or without their signatures', () => {
    const specification = new Specification().addFile(
      'test/Test.main([Ljava/lang/String;)V\ntest/Work.run\n',
    );
    expect(specification.isAtomic('test/Test.main([Ljava/lang/String;)V')).toBe(false);
    expect(specification.isAtomic('test/Work.run()V')).toBe(false);
    expect(specification.isAtomic('test/Work.runAll()V')).toBe(true);
  });

  it('writes lines that leave out exactly one label', () => {
    const labels = [
      'run',
      'run()V',
      '*',
      'a?b',
      'back\\slash',
      '#hash',
      '!bang',
      ' padded ',
      '',
      'Bank.pay',
      '\\',
    ];
    for (const label of labels) {
      const specification = new Specification().addFile(`${excludingLine(label, [...labels].sort())}\n`);
      expect(labels.filter((other) => !specification.isAtomic(other))).toEqual([label]);
    }
    expect(excludingLine('Bank.pay', labels)).toBe('Bank.pay');
  });

  it('are left out also where they end in a line end, which no line of a file can hold', () => {
    for (const label of ['a\r', '\na', 'a\r\nb', '\r', 'a*\n']) {
      const specification = new Specification().addFile(`${excludingLine(label, [])}\n`);
      expect([specification.isAtomic(label), specification.isAtomic('other')]).toEqual([false, true]);
    }
  });
});

describe('the last line that matches', () => {
  it('decides, however many lines there are, as if they were tried one by one', () => {
    const random = new Random(1);
    const word = () => Array.from({ length: random.between(0, 4) }, () => 'ab(*'[random.below(4)]).join('');
    for (let i = 0; i < 2000; i++) {
      const lines = Array.from({ length: random.between(0, 8) }, () => ({
        pattern: word() || 'a',
        isNegated: random.oneIn(3),
      }));
      const text = lines.map(({ pattern, isNegated }) => `${isNegated ? '!' : ''}${pattern}`).join('\n');
      const specification = new Specification().addFile(text);
      for (let j = 0; j < 20; j++) {
        const label = word();
        const last = lines.findLast(({ pattern }) => matchesLabel(pattern, label));
        expect([text, label, specification.isAtomic(label)]).toEqual([text, label, last?.isNegated ?? true]);
      }
    }
  });
});
