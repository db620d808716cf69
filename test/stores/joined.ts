import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonReport } from '../../src/check/json-results.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';

const PROGRAM = fileURLToPath(new URL('redis/cluster.mjs', import.meta.url));
const DRIVERS = fileURLToPath(new URL('node_modules', import.meta.url));

/** Declares the tests of `trackside join`, which find Redis in the environment. */
export function testJoin(): void {
  const folder = temporaryFolder();

  describe('trackside join', () => {
    it('finds in recorded processes what they did to each other, and says nothing of one alone', () => {
      cpSync(PROGRAM, join(folder.path, 'cluster.mjs'));
      symlinkSync(DRIVERS, join(folder.path, 'node_modules'));
      const cwd = folder.path;
      const recorded = trackside(['record', '-o', 'run.trk', 'cluster.mjs'], { cwd });
      expect(recorded.stderr).toContain('wrote run.2.trk');
      const traces = ['run.trk', 'run.1.trk', 'run.2.trk'];
      const { status, stdout } = trackside(
        ['join', ...traces, '--reporter', 'json', '--reporter', 'text=text'],
        {
          cwd,
        },
      );
      expect(status).toBe(1);
      const { results } = JSON.parse(stdout) as JsonReport;
      expect(results).toMatchObject([{ joined: traces, violations: [{ block: { label: 'remember' } }] }]);
      const threads = new Set(
        Object.values(results[0].violations[0].interference ?? {}).map(({ thread }) => thread),
      );
      expect([...threads].sort()).toEqual(['run.1: main', 'run.2: main']);
      expect(trackside(['check', 'run.1.trk', '--quiet'], { cwd }).status).toBe(0);
    });

    it('refuses what is not the trace of a program, and one trace alone', () => {
      writeFileSync(join(folder.path, 'some.std'), 't1|w(x)|1\n');
      const alone = trackside(['join', 'run.trk'], { cwd: folder.path });
      expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining('a trace for each process')]);
      const other = trackside(['join', 'run.trk', 'some.std'], { cwd: folder.path });
      expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('some.std')]);
    });
  });
}
