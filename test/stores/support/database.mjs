// A pool on a schema of its own, made anew, whose connections are open: as in a server that has been running for a while.
import pg from 'pg';

export async function database(name, tables, max = 6) {
  const schema = `${name}_${process.pid}`;
  const admin = new pg.Client(process.env.PGURL);
  await admin.connect();
  await admin.query(`create schema "${schema}"`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: process.env.PGURL, options: `-c search_path=${schema}`, max });
  await pool.query(tables);
  const clients = await Promise.all(Array.from({ length: max }, () => pool.connect()));
  for (const client of clients) client.release();
  return pool;
}

/** Lets everybody come to the same point before anybody goes on. */
export function meeting(count) {
  let arrived = 0;
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return () => {
    if (++arrived === count) open();
    return opened;
  };
}

export async function inTransaction(pool, begin, work) {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
