// expect: violation withdraw
// prints: 90
import pgPromise from 'pg-promise';
import { meeting } from '../support/database.mjs';

const schema = `promised_${process.pid}`;
const db = pgPromise()({ connectionString: process.env.PGURL, max: 4, options: `-c search_path=${schema}` });
await db.none(`CREATE SCHEMA ${schema}`);
await db.none(
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL); INSERT INTO wallets VALUES ('ann', 100)`,
);
const met = meeting(2);

async function withdraw(amount) {
  const { balance } = await db.one('SELECT balance FROM wallets WHERE id = $1', ['ann']); // (1)
  await met();
  await db.none('UPDATE wallets SET balance = $1 WHERE id = $2', [balance - amount, 'ann']); // (2)
}

await Promise.all([withdraw(10), withdraw(10)]);
console.log((await db.one('SELECT balance FROM wallets')).balance);
await db.$pool.end();
