import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseResults } from '../../src/check/saved-results.ts';
import { adviceFor } from '../../src/report/advice/index.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';

const DRIVERS = fileURLToPath(new URL('node_modules', import.meta.url));

/** What the programs begin with, which functions of them are broken, and what they end with. */
interface Programs {
  readonly setup: string;
  readonly broken: Readonly<Record<string, { advice: string; parameters: string; body: string }>>;
  readonly ends: readonly string[];
}

const MEETING = `let arrived = 0;
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
${MEETING}`;

/** By the function that is broken: what it does, the parameters, and the advice that it is given. */
const ROWS: Programs['broken'] = {
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

const DOCUMENTS: Programs['broken'] = {
  withdraw: {
    advice: 'update-in-mongodb',
    parameters: 'amount',
    body: `const account = await db.collection('accounts').findOne({ _id: id });
  await met();
  if (account.balance < amount) return false;
  await db.collection('accounts').updateOne({ _id: id }, { $set: { balance: account.balance - amount } });
  return true;`,
  },
  spend: {
    advice: 'guarded-document',
    parameters: 'amount',
    body: `const account = await db.collection('accounts').findOne({ _id: id });
  await met();
  if (account.points < amount) return false;
  await db.collection('accounts').updateOne({ _id: id }, { $set: { points: 0 } });
  return true;`,
  },
  register: {
    advice: 'unique-index',
    parameters: '',
    body: `const found = await db.collection('users').findOne({ email: value });
  await met();
  if (found !== null) return false;
  await db.collection('users').insertOne({ email: value });
  return true;`,
  },
};

/** All of them, for whoever wants to know what is tested. */
export const BROKEN = [...Object.values(ROWS), ...Object.values(DOCUMENTS)];

/** For PostgreSQL and Redis. */
export const IN_ROWS: Programs = {
  setup: SETUP,
  broken: ROWS,
  ends: ['await db.end();', 'await redis.quit();'],
};

/** For MongoDB. */
export const IN_DOCUMENTS: Programs = {
  setup: `import { MongoClient } from 'mongodb';
const client = new MongoClient(process.env.MONGO_URL);
const db = client.db('advice-' + process.pid);
await db.collection('accounts').insertOne({ _id: 1, balance: 100, points: 100 });
if (process.argv[2] === 'unique') await db.collection('users').createIndex({ email: 1 }, { unique: true });
const [id, value] = [1, 'ann@x'];
${MEETING}`,
  broken: DOCUMENTS,
  ends: ['await client.close();'],
};

/** Declares the test of what reports advise about databases; the servers are found in the environment. */
export function testAdvice({ setup, broken: BROKEN, ends }: Programs): void {
  const count = Object.keys(BROKEN).length;
  const folder = temporaryFolder();
  const run = (name: string, bodies: Readonly<Record<string, string>>, ...given: string[]) => {
    const functions = Object.entries(BROKEN).map(
      ([label, { parameters }]) => `async function ${label}(${parameters}) {\n  ${bodies[label]}\n}`,
    );
    const calls = Object.keys(BROKEN).map(
      (label) => `console.log((await Promise.all([${label}(70), ${label}(70)])).sort().join());`,
    );
    const program = folder.write(`${name}.mjs`, [setup, ...functions, ...calls, ...ends, ''].join('\n'));
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
      expect(broken.stdout).toBe('true,true\n'.repeat(count));
      const followed = run(
        'followed',
        Object.fromEntries(advised.map(({ label, sketch }) => [label, sketch.join('\n  ')])),
        'unique',
      );
      expect(followed.stdout, followed.stderr).toBe('false,true\n'.repeat(count));
      expect(followed.found.filter(({ severity }) => severity === 'error')).toEqual([]);
    });
  });
}
