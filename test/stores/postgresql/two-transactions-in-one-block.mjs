// expect: violation withdraw
// prints: [ true, true ]
import { database, inTransaction, meeting } from '../support/database.mjs';

const pool = await database(
  'two',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100), ('bob', 0)`,
);
const met = meeting(2);

async function withdraw(amount) {
  const balance = await inTransaction(pool, 'BEGIN ISOLATION LEVEL SERIALIZABLE', async (client) => {
    const { rows } = await client.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
    return rows[0].balance;
  });
  await met();
  if (balance < amount) return false;
  for (;;) {
    try {
      await inTransaction(pool, 'BEGIN ISOLATION LEVEL SERIALIZABLE', (client) =>
        client.query('UPDATE wallets SET balance = $1 WHERE id = $2', [balance - amount, 'ann']),
      );
      return true;
    } catch (error) {
      if (error.code !== '40001') throw error;
    }
  }
}

console.log(await Promise.all([withdraw(70), withdraw(70)]));
await pool.end();
