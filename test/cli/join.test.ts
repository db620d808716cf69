import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => trackside(args, { cwd: folder.path });

describe('trackside join', () => {
  beforeAll(() => {
    folder.write(
      'app.mjs',
      'let n = 0;\nasync function add() { await null; n++; }\nawait Promise.all([add(), add()]);\n',
    );
    run('record', '--quiet', '-o', 'a.trk', 'app.mjs');
    const bytes = readFileSync(join(folder.path, 'a.trk'));
    folder.write('killed.trk', bytes.subarray(0, bytes.length - 40));
  });

  it('takes a trace that is cut as far as it goes, and says so', () => {
    const { status, stdout } = run('join', 'a.trk', 'killed.trk');
    expect(stdout.replace(/\s+/g, ' ')).toContain("the trace of 'killed' is cut");
    expect(status).toBe(0);
  });

  it('refuses one trace alone, and traces that no program has left', () => {
    folder.write('other.std', 'T0|r(x)|1\n');
    expect(run('join', 'a.trk')).toMatchObject({ status: 2, stdout: '' });
    expect(run('join', 'a.trk', 'other.std')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('other.std: this is not the trace of a program'),
    });
  });
});
