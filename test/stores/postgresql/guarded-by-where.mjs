// expect: ok
// prints: 1
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'guarded',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100), ('bob', 0)`,
);
const met = meeting(2);

async function withdraw(amount) {
  const { rows } = await pool.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
  await met();
  if (rows[0].balance < amount) return false;
  const { rowCount } = await pool.query(
    'UPDATE wallets SET balance = balance - $1 WHERE id = $2 AND balance >= $1',
    [amount, 'ann'],
  );
  return rowCount === 1;
}

console.log((await Promise.all([withdraw(70), withdraw(70)])).filter(Boolean).length);
await pool.end();
