import { describe, expect, it } from 'vitest';
import { withTestsMarked } from '../../../src/node/loader/test-functions.ts';

const MARK = '/* trackside-ignore-next-line: a test is not meant to be atomic */';

function marked(source: string, path = 'bank.test.ts'): string {
  return withTestsMarked(path, source);
}

describe('a test is marked as no block', () => {
  it.each([
    ['a test', "test('pays', async () => {});"],
    ['a variant', "it.only('pays', async function () {});"],
    ['one of a table', "test.each([1, 2])('pays %i', async (amount: number) => {});"],
    ['one with options', "test('pays', { retry: 2 }, async () => {});"],
    ['a hook', 'beforeEach(async () => {});'],
    ['one in a suite', "describe('bank', () => { test('pays', async () => {}); });"],
  ])('%s', (_, text) => {
    expect(marked(`\n${text}\n`)).toBe(`${MARK}\n${text}\n`);
  });

  it('at the line of its function, wherever the call begins', () => {
    expect(marked("\ntest(\n  'pays',\n  async () => {},\n);")).toBe(
      `\ntest(\n  'pays',${MARK}\n  async () => {},\n);`,
    );
  });

  it('in front of a comment that ends the line before', () => {
    expect(marked("let a; // why\ntest('a', async () => {});")).toBe(
      `let a; ${MARK}// why\ntest('a', async () => {});`,
    );
  });

  it('once a line', () => {
    const twice = "test('a', async () => {}); test('b', async () => {});";
    expect(marked(`\n${twice}`)).toBe(`${MARK}\n${twice}`);
  });
});

describe('left as they are', () => {
  it.each([
    ['a first line', "test('pays', async () => {});"],
    ['a template, which must not change', "\ntest.each`\na\n1\n`('pays', async () => {});"],
    ['other calls', '\nrun(async () => {});\nqueue.test(async () => {});\n'],
    ['what is no test function', "\ntest('pays', pays);\n"],
    ['what cannot be parsed', "\ntest('pays', async () => {"],
  ])('%s', (_, text) => {
    expect(marked(text)).toBe(text);
  });

  it('files that are no tests', () => {
    const text = '\nafter(async () => {});\n';
    expect(marked(text, 'src/queue.ts')).toBe(text);
    expect(marked(`import 'node:test';${text}`, 'src/queue.ts')).toBe(`import 'node:test';${MARK}${text}`);
  });
});
