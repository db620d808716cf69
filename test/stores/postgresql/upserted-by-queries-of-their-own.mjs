// expect: violation hit
// because: stale-act
// prints: [ { count: 1 } ]
// Queries that run when they are awaited are tasks of their own, and both inserts are on their way at once: one of two counts is lost in
// either order.
import { database, meeting } from '../support/database.mjs';

const pool = await database('upserted', 'CREATE TABLE hits (key text PRIMARY KEY, count integer)', 2);
const met = meeting(2);

async function run(text, values) {
  const { rows } = await pool.query(text, values);
  return rows;
}

function query(text, values) {
  return {
    // biome-ignore lint/suspicious/noThenProperty: as the queries of query builders have it
    then: (resolve, reject) => run(text, values).then(resolve, reject),
  };
}

async function hit(key) {
  const [row] = await query('SELECT key, count FROM hits WHERE key = $1', [key]);
  await met();
  await query('INSERT INTO hits VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET count = $2', [
    key,
    (row?.count ?? 0) + 1,
  ]);
}

await Promise.all([hit('/'), hit('/')]);
console.log(await query('SELECT count FROM hits', []));
await pool.end();
