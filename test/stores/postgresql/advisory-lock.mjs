// expect: ok
// prints: 2
import { database, inTransaction } from '../support/database.mjs';

const pool = await database(
  'advisory',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100), ('bob', 0)`,
);

async function withdraw(amount) {
  return inTransaction(pool, 'BEGIN', async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [7]);
    const { rows } = await client.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
    if (rows[0].balance < amount) return false;
    await client.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, 'ann']);
    return true;
  });
}

console.log((await Promise.all(Array.from({ length: 5 }, () => withdraw(40)))).filter(Boolean).length);
await pool.end();
