import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder, trackside } from '../cli/run.ts';
import { testPrograms } from '../node/expected-programs.ts';
import { installDrivers } from './drivers.ts';

installDrivers();
testPrograms(fileURLToPath(new URL('sqlite/', import.meta.url)));

it('a lost update of a row is proved by what is in the row in the end, though nothing is printed', () => {
  const { path, write } = temporaryFolder();
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
