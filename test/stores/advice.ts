import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseResults } from '../../src/check/saved-results.ts';
import { adviceFor } from '../../src/report/advice/index.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';

const DRIVERS = fileURLToPath(new URL('node_modules', import.meta.url));

const SETUP = `import pg from 'pg';
import Redis from 'ioredis';
const schema = 'advice_' + process.pid;
const admin = new pg.Client(process.env.PGURL);
await admin.connect();
await admin.query('CREATE SCHEMA ' + schema);
await admin.query('CREATE TABLE ' + schema + '.accounts (id int PRIMARY KEY, balance int NOT NULL, points int NOT NULL)');
await admin.query('INSERT INTO ' + schema + '.accounts VALUES (1, 100, 100)');
await admin.query('CREATE TABLE ' + schema + '.users (id serial PRIMARY KEY, email text)');
if (process.argv[2] === 'unique') await admin.query('CREATE UNIQUE INDEX ON ' + schema + '.users (email)');
await admin.end();
const db = new pg.Pool({ connectionString: process.env.PGURL, options: '-c search_path=' + schema, max: 4 });
const redis = new Redis(process.env.REDIS_URL);
const [id, value, key, limit] = [1, 'ann@x', 'advice:' + process.pid, 1];
let arrived = 0;
let open;
let everybody = new Promise((resolve) => { open = resolve; });
/** Two come here before one goes on. */
const met = () => {
  if (++arrived % 2 === 0) open();
  const opened = everybody;
  if (arrived % 2 === 0) everybody = new Promise((resolve) => { open = resolve; });
  return opened;
};
`;

/** By the function that is broken: what it does, the parameters, and the advice that it is given. */
export const BROKEN = {
  withdraw: {
    advice: 'update-in-the-database',
    parameters: 'amount',
    body: `const { rows } = await db.query('SELECT balance FROM accounts WHERE id = $1', [id]);
  await met();
  if (rows[0].balance < amount) return false;
  await db.query('UPDATE accounts SET balance = $1 WHERE id = $2', [rows[0].balance - amount, id]);
  return true;`,
  },
  spend: {
    advice: 'guarded-update',
    parameters: 'amount',
    body: `const { rows } = await db.query('SELECT points FROM accounts WHERE id = $1', [id]);
  await met();
  if (rows[0].points < amount) return false;
  await db.query('UPDATE accounts SET points = 0 WHERE id = $1', [id]);
  return true;`,
  },
  register: {
    advice: 'unique-constraint',
    parameters: '',
    body: `const { rowCount } = await db.query('SELECT 1 FROM users WHERE email = $1', [value]);
  await met();
  if (rowCount > 0) return false;
  await db.query('INSERT INTO users (email) VALUES ($1)', [value]);
  return true;`,
  },
  enter: {
    advice: 'one-command-of-redis',
    parameters: '',
    body: `const count = Number(await redis.get(key));
  await met();
  if (count >= limit) return false;
  await redis.set(key, count + 1);
  return true;`,
  },
};

/** Declares the test of what reports advise about databases; the servers are found in the environment. */
export function testAdvice(): void {
  const folder = temporaryFolder();
  const run = (name: string, bodies: Readonly<Record<string, string>>, ...given: string[]) => {
    const functions = Object.entries(BROKEN).map(
      ([label, { parameters }]) => `async function ${label}(${parameters}) {\n  ${bodies[label]}\n}`,
    );
    const calls = Object.keys(BROKEN).map(
      (label) => `console.log((await Promise.all([${label}(70), ${label}(70)])).sort().join());`,
    );
    const ends = ['await db.end();', 'await redis.quit();'];
    const program = folder.write(`${name}.mjs`, [SETUP, ...functions, ...calls, ...ends, ''].join('\n'));
    const json = `${program}.json`;
    const args = ['run', '--no-live', '--reporter', `json=${json}`, program, ...given];
    const { stdout, stderr } = trackside(args, { cwd: folder.path });
    const { results } = parseResults(readFileSync(json, 'utf8'), json);
    return { stdout, stderr, found: results.flatMap(({ violations }) => violations) };
  };

  describe('the advice about databases', () => {
    beforeAll(() => symlinkSync(DRIVERS, join(folder.path, 'node_modules')));

    it('names the tables and columns, and whoever follows it is rid of the problem', () => {
      const bodies = Object.entries(BROKEN).map(([label, { body }]) => [label, body]);
      const broken = run('broken', Object.fromEntries(bodies));
      const advised = broken.found
        .filter(({ severity }) => severity === 'error')
        .map((violation) => ({ label: violation.block?.label ?? '', ...adviceFor(violation, 'program') }));
      expect(
        Object.fromEntries(advised.map(({ label, name }) => [label, name])),
        broken.stdout + broken.stderr,
      ).toEqual(Object.fromEntries(Object.entries(BROKEN).map(([label, { advice }]) => [label, advice])));
      expect(broken.stdout).toBe('true,true\n'.repeat(4));
      const followed = run(
        'followed',
        Object.fromEntries(advised.map(({ label, sketch }) => [label, sketch.join('\n  ')])),
        'unique',
      );
      expect(followed.stdout, followed.stderr).toBe('false,true\n'.repeat(4));
      expect(followed.found.filter(({ severity }) => severity === 'error')).toEqual([]);
    });
  });
}
