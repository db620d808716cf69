// Runs the tests of what watches programs under other versions of Node, taken from the registry. Needs a build.
//
//   node scripts/node-versions.mjs [--node <path>]… [major…]      20, 22 and 24 if nothing is said
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TESTS = ['test/node', 'test/cli/run-examples.test.ts'];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: 'string', multiple: true, default: [] } },
});
const wanted = positionals.length + options.node.length === 0 ? ['20', '22', '24'] : positionals;
const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'nodes-'));

/** The program `node` of the newest release with this major version. */
function download(major) {
  const folder = path.join(scratch, major);
  fs.mkdirSync(folder);
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}@${major}`;
  execFileSync('npm', ['pack', name, '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [archive] = fs.readdirSync(folder);
  execFileSync('tar', ['xzf', archive], { cwd: folder });
  return path.join(folder, 'package', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

function test(node) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...TESTS], {
    cwd: root,
    stdio: 'inherit',
  });
  console.log(`Node ${version}: ${status === 0 ? 'passed' : '**failed**'}`);
  return status === 0;
}

try {
  const passed = [...options.node, ...wanted.map(download)].map(test);
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
