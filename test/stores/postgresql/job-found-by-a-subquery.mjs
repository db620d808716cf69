// expect: violation claim
// prints: [ 1, 1 ]
// One statement is not one step: the subquery is not looked at again when its UPDATE has waited for the row.
import { database } from '../support/database.mjs';

const pool = await database(
  'subquery',
  `CREATE TABLE jobs (id serial PRIMARY KEY, state text NOT NULL, worker integer);
   INSERT INTO jobs (state) SELECT 'queued' FROM generate_series(1, 5)`,
);

async function claim(worker) {
  const { rows } = await pool.query(
    `UPDATE jobs SET state = 'running', worker = $1
     WHERE id = (SELECT id FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1) RETURNING id`,
    [worker],
  );
  return rows[0].id;
}

// A session that holds the row makes them meet.
const holder = await pool.connect();
await holder.query('BEGIN');
await holder.query('SELECT * FROM jobs WHERE id = 1 FOR UPDATE');
const claims = [claim(1), claim(2)];
const watcher = await pool.connect();
for (let waiting = 0; waiting < 2; )
  waiting = (
    await watcher.query(
      `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND query LIKE 'UPDATE jobs%'`,
    )
  ).rowCount;
await holder.query('COMMIT');
holder.release();
watcher.release();
console.log(await Promise.all(claims));
await pool.end();
