import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOST_UPDATE, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();
const lost = folder.write('lost.std', LOST_UPDATE);
const parts = (page: string, kind: string) => page.split(`data-part="${kind}"`).length - 1;

describe('trackside view', () => {
  it('writes a page beside where it is called, named after the trace', () => {
    const { status, stdout, stderr } = trackside(['view', lost], { cwd: folder.path });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^wrote lost\.std\.html: 5 events, \d+ kB\n$/);
    const page = readFileSync(join(folder.path, 'lost.std.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>\n/);
    expect([parts(page, 'chunk'), parts(page, 'trace'), parts(page, 'results')]).toEqual([1, 1, 1]);
  });

  it('writes to standard output, and a part of the trace', () => {
    const { status, stdout, stderr } = trackside(['view', lost, '-o', '-', '--from', '2', '--to', '3']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/<\/html>\n$/);
  });

  it('shows what comes before a problem, and says what it is', () => {
    const broken = folder.write('broken.std', `${LOST_UPDATE}T0|rel(l)|6\n`);
    const output = join(folder.path, 'broken.html');
    const { status, stderr } = trackside(['view', broken, '-o', output]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/broken\.std:6/);
    expect(stderr).toMatch(/5 events/);
    expect(existsSync(output)).toBe(true);
  });

  it('does not write over the trace', () => {
    const { status, stderr } = trackside(['view', lost, '-o', lost]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/this file is to be read and written at once/);
    expect(readFileSync(lost, 'utf8')).toBe(LOST_UPDATE);
  });

  it.each([
    ['a folder', () => [folder.path], /this is a folder; one trace is viewed at a time/],
    ['a stream', () => ['-'], /a page cannot be made of a stream; expected a file/],
    ['an empty trace', () => [folder.write('empty.std', ''), '--format', 'std'], /there is nothing to show/],
    [
      'events that are not there',
      () => [lost, '--from', '9'],
      /there is nothing to show; found events 9 to 5/,
    ],
    ['a file that is not there', () => [join(folder.path, 'none.std')], /there is no such file/],
  ])('refuses %s', (_, args, message) => {
    const { status, stderr } = trackside(['view', ...args(), '-o', join(folder.path, 'refused.html')]);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(join(folder.path, 'refused.html'))).toBe(false);
  });
});
