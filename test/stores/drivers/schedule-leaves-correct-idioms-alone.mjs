// options: --schedule provoke --seed 1
// expect: ok
// prints: [ false, true ]
// prints: [ false, true ]
// prints: 60 first,second
import Redis from 'ioredis';
import postgres from 'postgres';
import { database, inTransaction } from '../support/database.mjs';

const pool = await database(
  'idioms',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL);
   INSERT INTO wallets VALUES ('ann', 100), ('bob', 100)`,
);
const connection = { options: `-c search_path=idioms_${process.pid}` };
const sql = postgres(process.env.PGURL, { max: 2, connection });
const redis = new Redis(process.env.REDIS_URL);
const key = `eve ${process.pid}`;
await Promise.all([sql`SELECT 1`, sql`SELECT 1`, redis.set(key, 100)]);

async function locked(amount) {
  return inTransaction(pool, 'BEGIN', async (client) => {
    const { rows } = await client.query(`SELECT balance FROM wallets WHERE id = 'ann' FOR UPDATE`);
    if (rows[0].balance < amount) return false;
    await client.query(`UPDATE wallets SET balance = $1 WHERE id = 'ann'`, [rows[0].balance - amount]);
    return true;
  });
}

async function lockedByPostgresJs(amount) {
  return sql.begin(async (transaction) => {
    const [row] = await transaction`SELECT balance FROM wallets WHERE id = 'bob' FOR UPDATE`;
    if (row.balance < amount) return false;
    await transaction`UPDATE wallets SET balance = ${row.balance - amount} WHERE id = 'bob'`;
    return true;
  });
}

async function counted() {
  await redis.decrby(key, 10);
  await redis.multi().decrby(key, 10).incr(`${key} count`).exec();
}

console.log((await Promise.all([locked(70), locked(70)])).sort());
console.log((await Promise.all([lockedByPostgresJs(70), lockedByPostgresJs(70)])).sort());
await Promise.all([counted(), counted()]);
// Answers of one connection come in the order of the questions.
const order = [];
redis.get(key, () => order.push('first'));
redis.get(key, () => order.push('second'));
console.log(await redis.get(key), order.join());
await Promise.all([pool.end(), sql.end(), redis.quit()]);
