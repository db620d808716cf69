import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMPILERS, type CompilerName, compiled, native, plain } from './programs.ts';

/** What a program may do to whoever watches it, and go on: `programs/lifecycle.c`. */
const DEEDS = [
  'signals',
  'forks',
  'jumps',
  'escapes',
  'calls-back',
  'cancels',
  'many',
  'takes-down',
  'spawns',
];

/** Each with one of the compilers. */
const ENDS: readonly [by: CompilerName, end: string, deed: string][] = [
  ['gcc', 'ends while threads are at work', 'leaves'],
  ['clang', 'is aborted in a thread', 'aborts'],
  ['gcc', 'ends in the handler of a fault', 'faults'],
];

describe.each(COMPILERS)('a program compiled by %s', (compiler) => {
  let watched: string;
  let unwatched: string;
  /** A library that comes and goes. */
  let watchedLibrary: string;
  let unwatchedLibrary: string;
  beforeAll(() => {
    watched = compiled('lifecycle.c', compiler);
    unwatched = plain('lifecycle.c', compiler);
    const asLibrary = ['-shared', '-fPIC'];
    watchedLibrary = compiled('library.c', compiler, ...asLibrary);
    unwatchedLibrary = plain('library.c', compiler, ...asLibrary);
  });

  function expectTheSame(...deeds: string[]): void {
    // A library that was compiled for us is only for programs that were.
    const plainly = deeds.map((deed) => (deed === watchedLibrary ? unwatchedLibrary : deed));
    const expected = spawnSync(unwatched, plainly, { encoding: 'utf8' });
    const { status, stdout, result } = native([], watched, ...deeds);
    expect(stdout).toBe(expected.stdout);
    expect(status).toBe(expected.status ?? 128 + 6);
    expect(result.error).toBeUndefined();
    expect(result.violations.filter(({ severity }) => severity === 'error')).toEqual([]);
  }

  it(`does the same as without us when it ${DEEDS.join(', ')}, loads libraries and closes files`, () => {
    expectTheSame(...DEEDS, watchedLibrary, unwatchedLibrary, 'closes');
  });

  it.each(ENDS.filter(([by]) => by === compiler))(
    'ends as without us when %s compiled it and it %s',
    (_, _end, deed) => expectTheSame(deed),
  );

  it('is watched after it has jumped out of handlers, has confined itself and has closed its streams', () => {
    const { status, stdout, result } = native([], watched, 'escapes', 'confined', 'speechless');
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'before main 7\nescaped\nconfined\n' });
    expect(result.events).toBeGreaterThan(40_000);
  });

  it('leaves a trace that can be read when it is killed', () => {
    const { status, result } = native([], watched, 'dies');
    expect(status).toBe(137);
    expect(result.events).toBeGreaterThan(10_000);
    expect(result.notes).toEqual([expect.stringContaining('without finishing its trace')]);
  });

  it('runs without being watched where nobody asks for a trace', () => {
    const { stdout, status } = spawnSync(watched, ['jumps'], { encoding: 'utf8' });
    expect(stdout).toBe('before main 7\njumped\n');
    expect(status).toBe(0);
  });

  it('takes nothing for an access or a lock that a library does which was not compiled for us', () => {
    const program = compiled('with-library.c', compiler, unwatchedLibrary);
    const { stdout, status, result } = native([], program);
    expect(stdout).toBe('sum 2\n');
    // What the library does to `calls`, and to `sum`, is not seen; what the program itself copies is.
    expect(result).toMatchObject({ verdict: 'ok', violations: [] });
    expect(result.blocks.checked).toBeGreaterThanOrEqual(200);
    expect(status).toBe(0);
  });
});
