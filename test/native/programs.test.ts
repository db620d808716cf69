import { describe, expect, it } from 'vitest';
import type { JsonResult } from '../../src/check/json-results.ts';
import { COMPILERS, compiled, native } from './programs.ts';

/** Labels, patterns and lines of what is wrong, each once. */
function errorsOf({ violations }: JsonResult): string[] {
  const errors = violations.filter(({ severity }) => severity === 'error');
  return [...new Set(errors.map(({ block, pattern }) => `${block?.label}: ${pattern}`))];
}

describe.each(COMPILERS)('programs compiled by %s', (compiler) => {
  it('finds the check that is not one step with the withdrawal, at its lines', () => {
    const { status, stdout, result } = native(['--provoke'], compiled('bank.c', compiler));
    expect(errorsOf(result)).toEqual(['withdraw: lost-update']);
    const { interference } = result.violations.find(({ severity }) => severity === 'error')!;
    expect(interference?.first).toMatchObject({ location: expect.stringMatching(/bank\.c:17$/) });
    expect(interference?.last).toMatchObject({
      op: expect.stringMatching(/^w\(account\[.*bank\.c:50\]#1\.balance\)$/),
      location: expect.stringMatching(/bank\.c:24$/),
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^balance is /);
  });

  it('finds that two threads make what is made when it is first needed', () => {
    const { result } = native([], compiled('lazy.c', compiler));
    expect(errorsOf(result)).toEqual(['get_table: lost-update']);
  });

  it('finds a counter without a lock', () => {
    const { status, result } = native(['--provoke'], compiled('counter.c', compiler));
    expect(errorsOf(result)).toContain('count_some: lost-update');
    expect(status).toBe(1);
  });

  it('finds that what was looked up under a read lock is stored under another one', () => {
    const { result } = native(['--provoke'], compiled('read-write-lock.c', compiler));
    expect(errorsOf(result)).toEqual(['get_or_make: lost-update']);
  });

  it('follows threads and mutexes of C11', () => {
    const { result } = native(['--provoke'], compiled('c11.c', compiler));
    expect(errorsOf(result)).toEqual(['sell: lost-update']);
  });

  it('finds that the length and the characters of a StringBuffer are not of one moment', () => {
    const { result } = native(['--provoke'], compiled('string-buffer.cc', compiler));
    const append = result.violations.find(({ block }) => block?.label === 'StringBuffer::append');
    expect(append).toMatchObject({ pattern: 'unrepeatable-read' });
  });

  it.each(['bank.c', 'counter.c', 'read-write-lock.c', 'c11.c', 'string-buffer.cc'])(
    'says nothing of the healthy twin of %s',
    (source) => {
      const { status, result } = native(['--provoke'], compiled(source, compiler, '-DGOOD'));
      expect(result).toMatchObject({ verdict: 'ok', violations: [] });
      expect(result.blocks.checked).toBeGreaterThan(0);
      expect(status).toBe(0);
    },
  );

  it('names the innermost block that the same accesses violate, and those around it', () => {
    const { result } = native([], compiled('rounds.c', compiler));
    expect(errorsOf(result)).toEqual(['command: lost-update']);
    const [{ around }] = result.violations.filter(({ severity }) => severity === 'error');
    expect(around?.map(({ label }) => label)).toEqual(['carry_out', 'serve']);
  });

  it('finds no error where others come in between two rounds', () => {
    const { status, result } = native([], compiled('rounds.c', compiler, '-DGOOD'));
    expect(errorsOf(result)).toEqual([]);
    expect(result.violations).not.toEqual([]);
    expect(status).toBe(0);
  });

  it.each(['queue.c', 'lock-free.c', 'looked-at.c', 'modern.cc'])('finds no error in %s', (source) => {
    const { status, result } = native(['--provoke'], compiled(source, compiler));
    expect(errorsOf(result)).toEqual([]);
    expect(status).toBe(0);
  });

  it('checks only the functions that are listed, by their names in the source or in the object', () => {
    const bank = compiled('bank.c', compiler);
    expect(native(['--atomic', 'get_*'], bank).result).toMatchObject({ verdict: 'ok' });
    expect(errorsOf(native(['--provoke', '--atomic', 'with*'], bank).result)).toEqual([
      'withdraw: lost-update',
    ]);
    const buffer = compiled('string-buffer.cc', compiler);
    for (const glob of ['StringBuffer::app*', '_ZN12StringBuffer6append*'])
      expect(native(['--atomic', glob], buffer).result.blocks.checked).toBe(1500);
  });

  it('takes functions for blocks that the program marks, and names data by its parts', () => {
    const { result } = native(['--atomic', 'none'], compiled('marked.c', compiler));
    const found = result.violations.map(({ block, interference }) => [block?.label, interference?.last.op]);
    expect(Object.fromEntries(found)).toEqual({
      deposit: 'w(accounts[3].balance)',
      save: expect.stringMatching(/^w\(account\[.*marked\.c:54\]#1\[0\]\.owners\[1\]\.visits\)$/),
      // GCC ignores `annotate`.
      ...(compiler === 'clang' ? { welcome: 'w(guest.visits)' } : {}),
    });
  });

  it('takes what happens under a lock for a block if asked to', () => {
    const { result } = native(['--critical-sections'], compiled('bank.c', compiler));
    expect(result).toMatchObject({ verdict: 'ok' });
    expect(result.blocks.checked).toBeGreaterThan(5000);
  });
});
