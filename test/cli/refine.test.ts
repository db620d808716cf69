import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOST_UPDATE, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

describe('trackside refine', () => {
  it('tells the rounds, writes a specification, and check is silent with it', () => {
    const trace = folder.write('run.std', LOST_UPDATE);
    const specification = join(folder.path, 'loose.txt');
    const refined = trackside(['refine', trace, '-o', specification]);
    expect(refined.status).toBe(0);
    expect(refined.stdout).toBe('');
    expect(refined.stderr).toBe(
      'round 1: 1 violated block with 1 label, left out from now on:\n  pay\n' +
        'round 2: nothing is violated\n' +
        '0 labels of 1 stay in the specification and the traces are serializable under it\n',
    );
    expect(readFileSync(specification, 'utf8')).toMatch(/^# .*\n# .*\npay\n$/);
    expect(trackside(['check', trace, '--quiet'])).toMatchObject({ status: 1 });
    expect(trackside(['check', trace, '--quiet', '--spec', specification])).toMatchObject({ status: 0 });
  });

  it('reads standard input as often as it needs, and prints JSON', () => {
    const { status, stdout } = trackside(['refine', '-', '--json', '--quiet'], { input: LOST_UPDATE });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rounds: [
        { violations: 1, excluded: ['pay'] },
        { violations: 0, excluded: [] },
      ],
      excluded: ['pay'],
      serializable: true,
    });
  });

  it('refuses what it cannot do', () => {
    const trace = folder.write('run.std', LOST_UPDATE);
    for (const [args, message] of [
      [['refine', trace, '--analysis', 'velodrome', '--one-pass'], '--one-pass needs'],
      [['refine', trace, '--analysis', 'velodrome,regiontrack'], 'one analysis at a time'],
      [['refine', join(folder.path, 'nowhere.std')], 'there is no such file'],
      [['refine', folder.write('bad.std', 'T0|end(x)\n')], 'has no open block'],
    ] as const) {
      const { status, stderr } = trackside(args);
      expect(status).toBe(2);
      expect(stderr).toContain(message);
    }
  });
});
