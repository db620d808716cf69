import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMPILERS, compiled, native, plain } from './programs.ts';

/** What a program may do to whoever watches it: `programs/lifecycle.c`. */
const DEEDS = ['signals', 'forks', 'leaves', 'jumps', 'calls-back', 'cancels', 'many', 'closes'];

describe.each(COMPILERS)('a program compiled by %s', (compiler) => {
  let watched: string;
  let unwatched: string;
  beforeAll(() => {
    watched = compiled('lifecycle.c', compiler);
    unwatched = plain('lifecycle.c', compiler);
  });

  it.each(DEEDS)('does the same as without us when it %s', (deed) => {
    const expected = spawnSync(unwatched, [deed], { encoding: 'utf8' });
    const { status, stdout, result } = native([], watched, deed);
    expect(stdout).toBe(expected.stdout);
    expect(status).toBe(expected.status);
    expect(result.error).toBeUndefined();
    expect(result.violations.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('leaves a trace that can be read when it is killed', () => {
    const { status, result } = native([], watched, 'dies');
    expect(status).toBe(137);
    expect(result.events).toBeGreaterThan(10_000);
    expect(result.notes).toEqual([expect.stringContaining('without finishing its trace')]);
  });

  it('runs without being watched where nobody asks for a trace', () => {
    const { stdout, status } = spawnSync(watched, ['jumps'], { encoding: 'utf8' });
    expect(stdout).toBe('before main 7\njumped 600\n');
    expect(status).toBe(0);
  });
});
