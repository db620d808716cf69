import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAIN, temporaryFolder } from '../cli/run.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/databases/', import.meta.url));
const DRIVERS = fileURLToPath(new URL('node_modules', import.meta.url));

/** The block that is broken, by the folder of the example. */
const BLOCKS = { wallet: 'withdraw', coupon: 'redeem', jobs: 'takeJob', session: 'remember' };

/** Declares the tests of examples/databases, which find the servers in the environment. */
export function testExamples(): void {
  const copy = temporaryFolder();
  const trackside = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, ...args], {
      cwd: join(copy.path, 'databases'),
      encoding: 'utf8',
    });
  const run = (name: string) => trackside('run', '--schedule', 'provoke', name);

  describe('the examples of databases', () => {
    beforeAll(() => {
      const filter = (path: string) => !path.includes('node_modules');
      cpSync(EXAMPLES, join(copy.path, 'databases'), { recursive: true, filter });
      symlinkSync(DRIVERS, join(copy.path, 'databases/node_modules'));
    });

    it.each(Object.entries(BLOCKS))('a race is found in the %s, and none in its twin', (folder, block) => {
      const broken = run(`${folder}/broken.mjs`);
      expect(broken.status, broken.stderr).toBe(1);
      expect(broken.stderr).toContain(`error: block '${block}'`);
      const fixed = run(`${folder}/fixed.mjs`);
      expect(fixed.status, fixed.stdout + fixed.stderr).toBe(0);
    });

    it('the race in the wallet is proved: the second withdrawal would have been refused', () => {
      const { stderr } = trackside('prove', '--schedule', 'provoke', 'wallet/broken.mjs');
      expect(stderr).toContain('proved harmful');
      expect(stderr).toMatch(/- \[ true, true \]\n.*\+ \[ (?:true, false|false, true) \]/);
    });
  });
}
