// expect: violation take
// prints: [ 1, 1 ]
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'twice',
  `CREATE TABLE jobs (id serial PRIMARY KEY, status text NOT NULL, worker text); INSERT INTO jobs (status) VALUES ('new')`,
);
const met = meeting(2);

async function take(worker) {
  const { rows } = await pool.query(`SELECT id, status FROM jobs WHERE status = 'new' ORDER BY id LIMIT 1`); // (1)
  await met();
  if (rows.length === 0) return null;
  await pool.query(`UPDATE jobs SET status = 'taken', worker = $1 WHERE id = $2`, [worker, rows[0].id]); // (2)
  return rows[0].id;
}

console.log(await Promise.all([take('a'), take('b')]));
await pool.end();
