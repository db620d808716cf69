// expect: violation withdraw
// prints: 90
import postgres from 'postgres';
import { meeting } from '../support/database.mjs';

const schema = `postgres_js_${process.pid}`;
const sql = postgres(process.env.PGURL, { max: 4, onnotice() {}, connection: { search_path: schema } });
await sql.unsafe(`CREATE SCHEMA ${schema}`);
await sql`CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL)`;
await sql`INSERT INTO wallets VALUES ('ann', 100)`;
const met = meeting(2);

async function withdraw(amount) {
  const [{ balance }] = await sql`SELECT balance FROM wallets WHERE id = ${'ann'}`; // (1)
  await met();
  await sql`UPDATE wallets SET balance = ${balance - amount} WHERE id = ${'ann'}`; // (2)
}

await Promise.all([withdraw(10), withdraw(10)]);
console.log((await sql`SELECT balance FROM wallets`)[0].balance);
await sql.end();
