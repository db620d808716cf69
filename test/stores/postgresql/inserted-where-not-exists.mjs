// expect: violation book
// prints: [ true, true ]
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'absent',
  'CREATE TABLE seats (id serial PRIMARY KEY, seat text NOT NULL, who integer)',
);
const both = meeting(2);

async function book(seat, who) {
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rowCount } = await client.query(
    'INSERT INTO seats (seat, who) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM seats WHERE seat = $1)',
    [seat, who],
  );
  await both();
  await client.query('COMMIT');
  client.release();
  return rowCount === 1;
}

console.log(await Promise.all([book('1A', 1), book('1A', 2)]));
await pool.end();
