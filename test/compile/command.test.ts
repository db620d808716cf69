import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, LOST_UPDATE, temporaryFolder, trackside } from '../cli/run.ts';

const folder = temporaryFolder();
const trace = folder.write('lost.std', LOST_UPDATE);
const program = join(folder.path, 'lost.mjs');

function refusal(args: readonly string[], input = ''): string {
  const { status, stderr } = trackside(['compile', ...args], { input });
  expect(status).toBe(2);
  return stderr;
}

describe('trackside compile', () => {
  it('makes a program that run finds the violation of the trace in', () => {
    expect(trackside(['compile', trace, '-o', program])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: `wrote ${program}: a program with tasks for 5 events\n`,
    });
    // Nothing that such a program writes depends on what it has read, so that it is a note.
    const { status, stderr } = trackside(['run', '--notes', program]);
    expect(status).toBe(0);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /note: 'pay' and .*: read it .* wrote it .*, then it wrote it/,
    );
  });

  it('writes to standard output, and reads from standard input', () => {
    const { status, stdout, stderr } = trackside(['compile', '-', '-o', '-', '--quiet'], {
      input: LOST_UPDATE,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('async "pay"()');
  });

  it('makes a program with workers, whose output is the trace, and in which run finds the same', () => {
    expect(trackside(['compile', trace, '-o', program, '--with', 'workers', '--quiet']).status).toBe(0);
    const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect(stdout).toBe(LOST_UPDATE.replace(/\|\d+$/gm, ''));
    expect(check(['-'], { input: stdout }).result).toMatchObject({ verdict: 'violation', firstEvent: 4 });
    const { status, stderr } = trackside(['run', '--notes', program]);
    expect(status).toBe(0);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /note: 'pay' and .*: read it .* wrote it .*, then it wrote it/,
    );
  });

  it('writes nothing when the trace is refused', () => {
    const other = join(folder.path, 'none.mjs');
    expect(refusal(['-', '-o', other], 't|end(a)\n')).toContain("thread 't' ends block 'a'");
    expect(() => readFileSync(other)).toThrow('ENOENT');
  });

  it.each([
    [
      'a long trace',
      't|w(x)\n'.repeat(10_001),
      'this trace is too long for a program; found more than 10000',
    ],
    [
      'a message',
      't|w(x)\nt|send(m)\n',
      "event 2: tasks of one thread have no messages; found send(m) by thread 't'; expected a program --with workers",
    ],
    ['a condition', 't|wait(c)\n', 'event 1: tasks of one thread have no conditions; found wait(c)'],
    [
      'a long name',
      `t|w(${'x'.repeat(1001)})\n`,
      'this trace has a name that is too long for a program; found',
    ],
  ])('refuses %s', (_, input, message) => {
    expect(refusal(['-', '-o', program], input)).toContain(message);
  });

  it('refuses what is not the name of a program, and other kinds of threads', () => {
    expect(refusal([trace, '-o', trace])).toContain(
      'the name of this file is not that of a JavaScript module',
    );
    expect(refusal([trace, '-o', program, '--with', 'worker'])).toContain("did you mean 'workers'");
    expect(refusal([folder.path, '-o', program])).toContain('folder');
  });
});
