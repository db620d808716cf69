// expect: violation withdraw
// prints: 70
import { PGlite } from '@electric-sql/pglite';

const db = new PGlite();
await db.exec(
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100)`,
);

async function withdraw(amount) {
  const { rows } = await db.query('SELECT balance FROM wallets WHERE id = $1', ['ann']); // (1)
  await db.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, 'ann']); // (2)
}

async function inOne(amount) {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
    await tx.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, 'ann']);
  });
}

await Promise.all([inOne(10), inOne(10)]);
await Promise.all([withdraw(10), withdraw(10)]);
console.log((await db.query('SELECT balance FROM wallets')).rows[0].balance);
await db.close();
