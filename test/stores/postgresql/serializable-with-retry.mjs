// expect: ok
// prints: 2
import { database, inTransaction } from '../support/database.mjs';

const pool = await database(
  'serializable',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100), ('bob', 0)`,
);

async function withdraw(amount) {
  for (;;) {
    try {
      return await inTransaction(pool, 'BEGIN ISOLATION LEVEL SERIALIZABLE', async (client) => {
        const { rows } = await client.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
        if (rows[0].balance < amount) return false;
        await client.query('UPDATE wallets SET balance = $1 WHERE id = $2', [
          rows[0].balance - amount,
          'ann',
        ]);
        return true;
      });
    } catch (error) {
      if (error.code !== '40001') throw error;
    }
  }
}

console.log((await Promise.all(Array.from({ length: 4 }, () => withdraw(40)))).filter(Boolean).length);
await pool.end();
