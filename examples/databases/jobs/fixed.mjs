// A worker locks the job that it takes until it has marked it, and passes over those that others have locked.
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
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(
      `SELECT id FROM example_jobs WHERE state = 'new' LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    if (rows.length > 0)
      await client.query(`UPDATE example_jobs SET state = 'taken' WHERE id = $1`, [rows[0].id]);
    await client.query('COMMIT');
    return rows[0]?.id ?? null;
  } finally {
    client.release();
  }
}

console.log(await Promise.all([takeJob(), takeJob()]));
await pool.end();
