import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../scripts/install.sh', import.meta.url));

/** Long enough to install something. */
export const PATIENCE = 300_000;

/** Installs what tests need and the machine does not have. */
export function install(what: 'chromium' | 'compilers' | 'databases' | 'java'): void {
  const { status, stderr, error } = spawnSync('sh', [SCRIPT, what], { encoding: 'utf8', timeout: PATIENCE });
  if (status !== 0) throw error ?? new Error(stderr);
}
