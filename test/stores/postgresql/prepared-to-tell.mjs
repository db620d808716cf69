// expect: violation reprice
// because: stale-act
// prints: 1 table
// prints: [ { price: 12 } ]
// prints: true
// A statement that names no key changes a row that another function has read, and so does a function of the database. Without
// `trackside db prepare` nobody would know which row it was; `clean` leaves nothing behind.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const admin = new pg.Client(process.env.PGURL);
await admin.connect();
await admin.query('DROP DATABASE IF EXISTS prepared_to_tell');
await admin.query('CREATE DATABASE prepared_to_tell');
await admin.end();
const url = process.env.PGURL.replace(/[^/]*$/, 'prepared_to_tell');
const pool = new pg.Pool({ connectionString: url, max: 3 });
// The rows are in a partition, which no statement names.
await pool.query(`CREATE SCHEMA "Shop's"; CREATE TABLE "Shop's".items (id int PRIMARY KEY, kind text, price int) PARTITION BY LIST (id);
  CREATE TABLE "Shop's".few PARTITION OF "Shop's".items FOR VALUES IN (1, 2);
  INSERT INTO "Shop's".items VALUES (1, 'a', 10), (2, 'b', 10);
  CREATE FUNCTION double(which text) RETURNS void LANGUAGE sql AS $$UPDATE "Shop's".items SET price = price * 2 WHERE kind = which$$`);

const catalog = async () => {
  const { rows } = await pool.query(
    "SELECT (SELECT count(*) FROM pg_trigger) + (SELECT count(*) FROM pg_proc) AS objects, (SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace) AS schemas",
  );
  return JSON.stringify(rows[0]);
};
const trackside = (action) => execFileSync(process.execPath, [MAIN, 'db', action, url], { encoding: 'utf8' });
const before = await catalog();
console.log(trackside('prepare').split(' ').slice(0, 2).join(' '));

/** Reads, and goes on when somebody else has come. */
let hasRead;
let goOn;

async function reprice(by) {
  const { rows } = await pool.query(`SELECT price FROM "Shop's".items WHERE id = 1`); // (1)
  hasRead();
  await new Promise((resolve) => (goOn = resolve));
  await pool.query(`UPDATE "Shop's".items SET price = $1 WHERE id = 1`, [rows[0].price + by]); // (2)
}

async function between(other) {
  const read = new Promise((resolve) => (hasRead = resolve));
  const repriced = reprice(1);
  await read;
  await other();
  goOn();
  await repriced;
}

await between(() => pool.query(`UPDATE "Shop's".items SET price = price * 2 WHERE kind = 'a'`));
await between(() => pool.query("SELECT double('a')"));
console.log((await pool.query(`SELECT price FROM "Shop's".items WHERE id = 1`)).rows);
trackside('clean');
console.log(before === (await catalog()));
await pool.end();
