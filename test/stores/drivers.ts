import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect } from 'vitest';

const INSTALL = fileURLToPath(new URL('../../scripts/install-drivers.sh', import.meta.url));

/** Long enough to compile one of them on a busy machine. */
const PATIENCE = 900_000;

/** Installs the drivers of test/stores/package.json before the tests of this file, unless they are there. */
export function installDrivers(): void {
  beforeAll(() => {
    const { status, stderr } = spawnSync(INSTALL, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  }, PATIENCE);
}
