// expect: ok
// prints: 8
import { database, inTransaction } from '../support/database.mjs';

const pool = await database(
  'jobs',
  `CREATE TABLE jobs (id serial PRIMARY KEY, status text NOT NULL DEFAULT 'new', worker text);
   INSERT INTO jobs (status) SELECT 'new' FROM generate_series(1, 8)`,
);

async function take(worker) {
  return inTransaction(pool, 'BEGIN', async (client) => {
    const { rows } = await client.query(
      `SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    if (rows.length === 0) return null;
    await client.query(`UPDATE jobs SET status = 'taken', worker = $1 WHERE id = $2`, [worker, rows[0].id]);
    return rows[0].id;
  });
}

async function takeAtOnce(worker) {
  const { rows } = await pool.query(
    `UPDATE jobs SET status = 'taken', worker = $1 WHERE id = (
       SELECT id FROM jobs WHERE status = 'new' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
     ) RETURNING id`,
    [worker],
  );
  return rows[0]?.id ?? null;
}

const taken = await Promise.all(['a', 'b', 'c', 'd'].flatMap((worker) => [take(worker), takeAtOnce(worker)]));
console.log(new Set(taken).size);
await pool.end();
