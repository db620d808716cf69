// The second request comes when the first would be over, if its answers were not held back.
// options: --schedule provoke --seed 1
// expect: violation withPg
// expect: violation withPostgresJs
// expect: violation withRedis
import { setTimeout as after } from 'node:timers/promises';
import postgres from 'postgres';
import { createClient } from 'redis';
import { database } from '../support/database.mjs';

const pool = await database(
  'held',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL);
   INSERT INTO wallets VALUES ('ann', 100), ('bob', 100)`,
);
const connection = { options: `-c search_path=held_${process.pid}` };
const sql = postgres(process.env.PGURL, { max: 2, connection });
const redis = await createClient({ url: process.env.REDIS_URL }).connect();
const key = `carl ${process.pid}`;
await Promise.all([sql`SELECT 1`, sql`SELECT 1`, redis.set(key, 100)]);

async function withPg(amount) {
  const { rows } = await pool.query('SELECT balance FROM wallets WHERE id = $1', ['ann']);
  if (rows[0].balance >= amount)
    await pool.query('UPDATE wallets SET balance = $1 WHERE id = $2', [rows[0].balance - amount, 'ann']);
}

async function withPostgresJs(amount) {
  const [row] = await sql`SELECT balance FROM wallets WHERE id = 'bob'`;
  if (row.balance >= amount) await sql`UPDATE wallets SET balance = ${row.balance - amount} WHERE id = 'bob'`;
}

async function withRedis(amount) {
  const balance = Number(await redis.get(key));
  if (balance >= amount) await redis.set(key, String(balance - amount));
}

async function later(withdraw) {
  await after(50);
  await withdraw(10);
}

for (const withdraw of [withPg, withPostgresJs, withRedis])
  await Promise.all([withdraw(10), later(withdraw)]);
await Promise.all([pool.end(), sql.end(), redis.close()]);
