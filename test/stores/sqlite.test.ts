import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nodeOf } from '../../scripts/test-tools.mjs';
import type { JsonReport } from '../../src/check/json-results.ts';
import { MAIN, temporaryFolder, trackside } from '../cli/run.ts';
import { testPrograms } from '../node/expected-programs.ts';
import { installDrivers } from './drivers.ts';

installDrivers();
testPrograms(fileURLToPath(new URL('sqlite/', import.meta.url)));

const results = temporaryFolder();

it('a lost update of a row is proved by what is in the row in the end, though nothing is printed', () => {
  const { path, write } = results;
  symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(path, 'node_modules'));
  write(
    'silent.mjs',
    `import Database from 'better-sqlite3';
const db = new Database(':memory:');
db.exec("CREATE TABLE accounts (id TEXT PRIMARY KEY, balance INTEGER); INSERT INTO accounts VALUES ('ann', 100)");
async function withdraw(amount) {
  const { balance } = db.prepare('SELECT balance FROM accounts WHERE id = ?').get('ann');
  await new Promise((resolve) => setImmediate(resolve));
  db.prepare('UPDATE accounts SET balance = ? WHERE id = ?').run(balance - amount, 'ann');
}
await Promise.all([withdraw(60), withdraw(30)]);
`,
  );
  const { stderr } = trackside(['prove', 'silent.mjs'], { cwd: path });
  expect(stderr).toContain('It read 100; withdraw#1 wrote 40; it wrote 70.');
  expect(stderr).toMatch(/proved harmful[\s\S]*value of accounts#ann\.balance\n +- 70\n +\+ 10\n/);
});

/** One that has `node:sqlite`; null where there is no registry. */
function newNode(): string | null {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 15)) return process.execPath;
  try {
    return nodeOf('22');
  } catch (error) {
    if (process.env.CI) throw error;
    return null;
  }
}

const node = newNode();

// Node 20 has none, and a newer one comes from the registry.
it.skipIf(node === null)("Node's own SQLite: a stale write is found, and one that is guarded is not", () => {
  const json = join(results.path, 'node-sqlite.json');
  const program = fileURLToPath(new URL('node-sqlite/written-after-a-wait.mjs', import.meta.url));
  const args = [MAIN, 'run', '--no-live', '--reporter', `json=${json}`, program];
  const { status, stdout } = spawnSync(node as string, args, { encoding: 'utf8' });
  expect(stdout).toBe('[ true, true ]\n[ true, false ]\n');
  expect(status).toBe(1);
  const { violations } = (JSON.parse(readFileSync(json, 'utf8')) as JsonReport).results[0];
  const errors = violations.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ block, interference }) => [block?.label, interference?.last.op])).toEqual([
    ['sell', 'w(items#1.stock)'],
  ]);
});
