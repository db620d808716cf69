// Two workers take the next job of a queue: both look for it before one of them has marked it.
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.PGURL ?? 'postgres://localhost/postgres' });
await pool.query('DROP TABLE IF EXISTS example_jobs');
await pool.query(
  `CREATE TABLE example_jobs (id integer PRIMARY KEY, state text NOT NULL);
   INSERT INTO example_jobs VALUES (1, 'new')`,
);

// Two connections are open, as in a server that has been running for a while.
await Promise.all([pool.query('SELECT 1'), pool.query('SELECT 1')]);

async function takeJob() {
  const { rows } = await pool.query(`SELECT id FROM example_jobs WHERE state = 'new'`);
  if (rows.length === 0) return null;
  await pool.query(`UPDATE example_jobs SET state = 'taken' WHERE id = $1`, [rows[0].id]);
  return rows[0].id;
}

console.log(await Promise.all([takeJob(), takeJob()]));
await pool.end();
