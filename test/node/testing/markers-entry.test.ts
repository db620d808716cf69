import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../cli/run.ts';

const ENTRY = new URL('../../../dist/index.js', import.meta.url);
const folder = temporaryFolder();

function run(source: string, args: readonly string[] = []) {
  const program = folder.write('program.mjs', source);
  return spawnSync(process.execPath, [...args, program], { cwd: folder.path, encoding: 'utf8' });
}

it('does nothing without the tool but to call what it is given', () => {
  const { stdout } =
    run(`import { atomic, defineConfig, lock, read, write } from ${JSON.stringify(ENTRY.href)};
read('row'); write('row');
console.log(atomic('a', () => 1), await lock('l', async () => 2), defineConfig({ failOn: 'error' }).failOn);`);
  expect(stdout).toBe('1 2 error\n');
});

it('does not load the checker', () => {
  // Node names every module that it loads.
  const { stderr } = spawnSync(process.execPath, [fileURLToPath(ENTRY)], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DEBUG: 'esm', NODE_OPTIONS: '' },
  });
  const loaded = new Set([...stderr.matchAll(/dist\/([\w/.-]+\.js)/g)].map(([, path]) => path));
  expect([...loaded].sort()).toEqual(['index.js', 'node/loader/runtime-symbol.chunk.js']);
});

it('marks blocks and accesses where the tool watches', () => {
  const register = new URL('../../../dist/node/launch/register.js', import.meta.url).href;
  const { status, stderr } = run(
    `import { atomic, read, write } from ${JSON.stringify(ENTRY.href)};
const book = () => atomic('booking', async () => {
  read('seat 7');
  await null;
  write('seat 7');
});
await Promise.all([book(), book()]);`,
    ['--import', register],
  );
  expect(stderr).toContain("'booking'");
  expect(stderr).toMatch(/r\(seat 7\)\s+program\.mjs:3/);
  expect(status).toBe(1);
});
