// expect: ok
// prints: 2
import { database, inTransaction } from '../support/database.mjs';

const pool = await database(
  'forupdate',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100), ('bob', 0)`,
);

async function withdraw(amount) {
  return inTransaction(pool, 'BEGIN', async (client) => {
    const { rows } = await client.query('SELECT balance FROM wallets WHERE id = $1 FOR UPDATE', ['ann']);
    if (rows[0].balance < amount) return false;
    await client.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, 'ann']);
    await client.query('UPDATE wallets SET balance = balance + $1 WHERE id = $2', [amount, 'bob']);
    return true;
  });
}

const done = await Promise.all(Array.from({ length: 6 }, () => withdraw(40)));
console.log(done.filter(Boolean).length);
await pool.end();
