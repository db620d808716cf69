// expect: ok
// prints: 70
import postgres from 'postgres';

const schema = `postgres_js_${process.pid}`;
const sql = postgres(process.env.PGURL, { max: 4, onnotice() {}, connection: { search_path: schema } });
await sql.unsafe(`CREATE SCHEMA ${schema}`);
await sql`CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL)`;
await sql`INSERT INTO wallets VALUES ('ann', 100)`;

async function withdraw(amount) {
  await sql.begin(async (tx) => {
    const [{ balance }] = await tx`SELECT balance FROM wallets WHERE id = ${'ann'} FOR UPDATE`;
    await tx`UPDATE wallets SET balance = ${balance - amount} WHERE id = ${'ann'}`;
  });
}

await Promise.all([withdraw(10), withdraw(10), withdraw(10)]);
console.log((await sql`SELECT balance FROM wallets`)[0].balance);
await sql.end();
