// Runs the tests of what watches programs under other versions of Node, taken from the registry. Needs a build.
//
//   node scripts/node-versions.mjs [--node <path>]… [major…]      20, 22 and 24 if nothing is said
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeOf } from './test-tools.mjs';

const TESTS = ['test/node', 'test/cli/run-examples.test.ts'];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { node: { type: 'string', multiple: true, default: [] } },
});
const wanted = positionals.length + options.node.length === 0 ? ['20', '22', '24'] : positionals;
const root = fileURLToPath(new URL('..', import.meta.url));

function test(node) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...TESTS], {
    cwd: root,
    stdio: 'inherit',
  });
  console.log(`Node ${version}: ${status === 0 ? 'passed' : '**failed**'}`);
  return status === 0;
}

const passed = [...options.node, ...wanted.map(nodeOf)].map(test);
process.exitCode = passed.every(Boolean) ? 0 : 1;
