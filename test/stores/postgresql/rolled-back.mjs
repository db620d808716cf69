// expect: ok
// prints: 90
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'rolledback',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100), ('bob', 0)`,
);
const met = meeting(2);
const again = meeting(2);

async function pay() {
  const { rows } = await pool.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
  await met();
  await again();
  await pool.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - 10, 'ann']);
}

async function attempt() {
  const client = await pool.connect();
  await met();
  await client.query('BEGIN');
  await client.query('UPDATE wallets SET balance = 0 WHERE id = $1', ['ann']);
  await client.query('ROLLBACK');
  client.release();
  await again();
}

await Promise.all([pay(), attempt()]);
const { rows } = await pool.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
console.log(rows[0].balance);
await pool.end();
