// expect: violation withdraw
// prints: [ true, true ]
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'written',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100), ('bob', 0)`,
);
const met = meeting(2);

async function withdraw(amount) {
  const { rows } = await pool.query('SELECT balance FROM wallets WHERE id = $1', ['ann']); // (1)
  await met();
  if (rows[0].balance < amount) return false;
  await pool.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, 'ann']); // (2)
  return true;
}

console.log(await Promise.all([withdraw(70), withdraw(70)]));
await pool.end();
