import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLEAN, LOST_UPDATE, temporaryFolder, trackside } from '../cli/run.ts';

const files = temporaryFolder();
const listed = join(files.path, 'modules.txt');
const lister = files.write(
  'lister.cjs',
  `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(listed)}, process.moduleLoadList.join('\\n')));`,
);

/** The modules of Node itself that a command has loaded. */
function modulesOf(...args: string[]): string[] {
  trackside(args, { env: { NODE_OPTIONS: `--require ${lister}` } });
  return readFileSync(listed, 'utf8').split('\n');
}

test.each([
  ['clean', CLEAN],
  ['violated', LOST_UPDATE],
])('a quiet check of a %s trace loads none of the modules of Node that take long to load', (name, text) => {
  const modules = modulesOf('check', files.write(`${name}.std`, text), '--quiet', '--no-explain');
  for (const slow of ['stream', 'zlib', 'worker_threads', 'fs/promises', 'perf_hooks', 'crypto', 'net'])
    expect(modules).not.toContain(`NativeModule ${slow}`);
});
