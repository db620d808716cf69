// expect: violation goOff
// prints: 0
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'skew',
  `CREATE TABLE doctors (name text PRIMARY KEY, on_call boolean NOT NULL); INSERT INTO doctors VALUES ('alice', true), ('bob', true)`,
);
const both = meeting(2);

async function goOff(name) {
  const client = await pool.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const { rows } = await client.query('SELECT name FROM doctors WHERE on_call'); // (1)
  await both();
  if (rows.length >= 2) await client.query('UPDATE doctors SET on_call = false WHERE name = $1', [name]); // (2)
  await client.query('COMMIT');
  client.release();
}

await Promise.all([goOff('alice'), goOff('bob')]);
console.log((await pool.query('SELECT 1 FROM doctors WHERE on_call')).rowCount);
await pool.end();
