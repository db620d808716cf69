import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, LOST_UPDATE, MAIN, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

describe('a program that is interrupted', () => {
  it('leaves no copy of standard input behind, and dies of the signal', async () => {
    const scratch = join(folder.path, 'scratch');
    mkdirSync(scratch);
    const child = spawn(process.execPath, [MAIN, 'check', '-', '--analysis', 'count'], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.on('error', () => undefined);
    const lines = LOST_UPDATE.repeat(10_000);
    // Fed until the copy is there: from then on it must be cleaned up.
    while (readdirSync(scratch).length === 0)
      await new Promise((resolve) => child.stdin.write(lines, resolve));
    child.kill('SIGINT');
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGINT');
    expect(readdirSync(scratch)).toEqual([]);
  });
});

describe('a reader that goes away', () => {
  const trace = folder.write('some.std', LOST_UPDATE.repeat(20_000));
  const closedEarly = async (args: readonly string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [status] = await once(child, 'close');
    return { status, stderr };
  };

  it('ends the program quietly, with the exit code known so far', async () => {
    const args = ['check', trace, '--reporter', 'json', '--analysis', 'velodrome'];
    expect(await closedEarly(args)).toEqual({ status: 1, stderr: '' });
    const files = ['convert', trace, '-', '--to', 'std'];
    expect(await closedEarly(files)).toEqual({ status: 0, stderr: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('is not mistaken for a disk that is full (needs /dev/full)', () => {
    const { status, stderr } = trackside(['check', trace, '--quiet', '--reporter', 'json=/dev/full']);
    expect(status).toBe(2);
    expect(stderr).toBe('error: /dev/full: the disk is full\n');
  });
});

describe('a bug of ours', () => {
  const trace = folder.write('lost.std', LOST_UPDATE);
  const NODE_OPTIONS = '--import data:text/javascript,process.hrtime=()=>{throw%20new%20Error(%22boom%22)}';

  it('is owned up to, with exit code 2 and not 1, and shows its stack only when asked', () => {
    const { status, stdout, stderr } = trackside(['check', trace], { env: { NODE_OPTIONS } });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(
      'error: this is a bug in trackside, please report it: boom\n' +
        'Set TRACKSIDE_DEBUG=1 to see where it happened.\n',
    );
    const debugged = trackside(['check', trace], { env: { NODE_OPTIONS, TRACKSIDE_DEBUG: '1' } });
    expect(debugged.stderr).toMatch(/please report it: boom\nError: boom\n {4}at /);
  });
});

describe('a report that does not fit into one string or one write', () => {
  it('is written whole, and without a word on standard error', () => {
    const many = folder.write('many.std', LOST_UPDATE.repeat(5000));
    const { result, stderr } = check([many, '--analysis', 'velodrome']);
    expect(result.violations).toHaveLength(5000);
    expect(stderr).toBe('');
  });
});

describe('a folder for temporary files that is not there', () => {
  it('is a problem of the surroundings, and said so', () => {
    const missing = join(folder.path, 'missing');
    const { status, stderr } = trackside(['check', '-'], { input: LOST_UPDATE, env: { TMPDIR: missing } });
    expect(status).toBe(2);
    expect(stderr).toContain(
      `${missing}: nothing can be written to the folder for temporary files (ENOENT); expected a folder with room in it; TMPDIR names another one`,
    );
  });
});
