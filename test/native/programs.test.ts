import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonResult } from '../../src/check/json-results.ts';
import { PATIENCE } from '../support/install.ts';
import { COMPILERS, type CompilerName, compiled, native, nativeAll } from './programs.ts';

/** Labels, patterns and lines of what is wrong, each once. */
function errorsOf({ violations }: JsonResult): string[] {
  const errors = violations.filter(({ severity }) => severity === 'error');
  return [...new Set(errors.map(({ block, pattern }) => `${block?.label}: ${pattern}`))];
}

type Program = readonly [source: string, compiler: CompilerName, ...flags: string[]];

/** Each by one of the compilers, to save time: what differs between them shows in the first, and in the other files of tests. */
const PAIRS: readonly Program[] = [
  ['bank.c', 'gcc'],
  ['bank.c', 'clang'],
  ['counter.c', 'gcc'],
  ['read-write-lock.c', 'clang'],
  ['c11.c', 'gcc'],
  ['string-buffer.cc', 'clang'],
  ['kept-by-library.cc', 'gcc', '-std=c++17'],
  ['kept-by-library.cc', 'clang', '-std=c++17'],
];
const BROKEN: readonly Program[] = [
  ...PAIRS,
  ['lazy.c', 'gcc'],
  ['containers.cc', 'gcc'],
  ['steps.c', 'clang'],
];
/** Nothing in them is wrong, though other threads come in between. */
const HARMLESS: readonly Program[] = [
  ['queue.c', 'clang'],
  ['lock-free.c', 'gcc'],
  ['looked-at.c', 'clang'],
  ['modern.cc', 'gcc'],
  ['containers.cc', 'gcc', '-DGOOD'],
  ['steps.c', 'clang', '-DGOOD'],
  ['registry.cc', 'gcc'],
];

describe('a watched program', () => {
  let broken: JsonResult[];
  beforeAll(() => {
    broken = nativeAll(
      ['--provoke'],
      BROKEN.map((program) => compiled(...program)),
    ).report.results;
  }, PATIENCE);

  it('finds the check that is not one step with the withdrawal, at its lines', () => {
    const found = broken.flatMap(
      ({ violations }) => violations.find(({ block }) => block?.label === 'withdraw') ?? [],
    );
    expect(found).toHaveLength(2);
    for (const violation of found) {
      expect(violation).toMatchObject({ severity: 'error', pattern: 'lost-update' });
      expect(violation.interference?.first).toMatchObject({
        location: expect.stringMatching(/bank\.c:17$/),
      });
      expect(violation.interference?.last).toMatchObject({
        op: expect.stringMatching(/^w\(account\[.*bank\.c:50\]#1\.balance\)$/),
        location: expect.stringMatching(/bank\.c:24$/),
      });
    }
  });

  it.each([
    ['that two threads make what is made when it is first needed', 'get_table: lost-update'],
    ['a counter without a lock', 'count_some: lost-update'],
    ['that what was looked up under a read lock is stored under another one', 'get_or_make: lost-update'],
    ['what threads of C11 do with its mutexes', 'sell: lost-update'],
    ['that [] puts something over what came in since it was looked up', 'add: lost-update'],
    ['that others have counted on before the count is looked at', 'take_all: overwritten-before-read'],
    ['that a shared pointer is replaced that others have replaced', 'replace: lost-update'],
    ['that a string is replaced that others have replaced', 'append: lost-update'],
    ['that something is taken from a list that others may have emptied', 'take: lost-update'],
    ['that a map has something put over what came in since', 'propose: unrepeatable-read'],
    [
      'that one asks for a number in another call than the one that counts',
      'next_number: overwritten-before-read',
    ],
  ])('finds %s', (_, error) => expect(broken.flatMap(errorsOf)).toContain(error));

  it('finds that the length and the characters of a StringBuffer are not of one moment', () => {
    const append = broken
      .flatMap(({ violations }) => violations)
      .find(({ block }) => block?.label === 'StringBuffer::append');
    expect(append).toMatchObject({ pattern: 'unrepeatable-read' });
  });

  it('says nothing of the healthy twins', () => {
    const twins = PAIRS.map((program) => compiled(...program, '-DGOOD'));
    const { status, report } = nativeAll(['--provoke'], twins);
    expect(report.results).toHaveLength(twins.length);
    for (const result of report.results) {
      expect(result).toMatchObject({ verdict: 'ok', violations: [] });
      expect(result.blocks.checked).toBeGreaterThan(0);
    }
    expect(status).toBe(0);
  });

  it(`finds no error in ${HARMLESS.map(([source]) => source).join(', ')}`, () => {
    const programs = HARMLESS.map((program) => compiled(...program));
    const { status, report } = nativeAll(['--provoke'], programs);
    expect(report.results).toHaveLength(programs.length);
    expect(report.results.flatMap(errorsOf)).toEqual([]);
    expect(status).toBe(0);
  });

  it('names the line of the program where a string and a list are changed inside of the library', () => {
    const changes = broken
      .flatMap(({ violations }) => violations)
      .filter(({ block }) => block?.label === 'append' || block?.label === 'take')
      .map(({ interference }) => interference?.last.location?.replace(/^.*\//, ''));
    expect(new Set(changes)).toEqual(new Set(['kept-by-library.cc:33', 'kept-by-library.cc:40']));
  });

  it.each([
    ['gcc', []],
    ['clang', ['-static-libstdc++']],
  ] as const)('finds in lists and sets what it has put in, in order: %s %s', (compiler, flags) => {
    const { stdout } = spawnSync(compiled('containers-hold.cc', compiler, ...flags), { encoding: 'utf8' });
    expect(stdout).toBe('as they should be\n');
  });

  it('holds threads back until they meet, though each first comes to places that are only its own', () => {
    const program = compiled('once.c', 'gcc');
    const found = [1, 2, 3, 4, 5].flatMap((seed) =>
      errorsOf(native([`--provoke`, `${seed}`], program).result),
    );
    expect(found).toContain('withdraw: lost-update');
  });

  it('names the innermost block that the same accesses violate, and those around it', () => {
    const { result } = native([], compiled('rounds.c', 'gcc'));
    expect(errorsOf(result)).toEqual(['command: lost-update']);
    const [{ around }] = result.violations.filter(({ severity }) => severity === 'error');
    expect(around?.map(({ label }) => label)).toEqual(['carry_out', 'serve']);
  });

  it('says nothing where others come in between two rounds that are each a step', () => {
    const { status, result } = native([], compiled('rounds.c', 'gcc', '-DGOOD'));
    expect(result).toMatchObject({ verdict: 'ok', violations: [] });
    expect(status).toBe(0);
  });

  it('checks only the functions that are listed, by their names in the source or in the object', () => {
    const bank = compiled('bank.c', 'clang');
    expect(native(['--atomic', 'get_*'], bank).result).toMatchObject({ verdict: 'ok' });
    expect(errorsOf(native(['--provoke', '--atomic', 'with*'], bank).result)).toEqual([
      'withdraw: lost-update',
    ]);
    const buffer = compiled('string-buffer.cc', 'clang');
    for (const glob of ['StringBuffer::app*', '_ZN12StringBuffer6append*'])
      expect(native(['--atomic', glob], buffer).result.blocks.checked).toBe(1500);
  });

  it.each(COMPILERS)(
    'takes functions for blocks that the program marks, and names data by its parts: %s',
    (compiler) => {
      const { result } = native(['--atomic', 'none'], compiled('marked.c', compiler));
      const found = result.violations.map(({ block, interference }) => [block?.label, interference?.last.op]);
      expect(Object.fromEntries(found)).toEqual({
        deposit: 'w(accounts[3].balance)',
        save: expect.stringMatching(/^w\(account\[.*marked\.c:54\]#1\[0\]\.owners\[1\]\.visits\)$/),
        // GCC ignores `annotate`.
        ...(compiler === 'clang' ? { welcome: 'w(guest.last)' } : {}),
      });
    },
  );

  it('takes what happens under a lock for a block if asked to', () => {
    const { result } = native(['--critical-sections'], compiled('bank.c', 'clang'));
    expect(result).toMatchObject({ verdict: 'ok' });
    expect(result.blocks.checked).toBeGreaterThan(1500);
  });
});
