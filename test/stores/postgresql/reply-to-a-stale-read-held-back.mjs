// expect: violation count
// not because: order-unknown
// The answer to a look comes after that to a change which it has not found: it was there before.
import pg from 'pg';
import { database } from '../support/database.mjs';
import { heldBack } from '../support/held-back.mjs';

const pool = await database(
  'heldread',
  `CREATE TABLE pages (id integer PRIMARY KEY, views integer, seen timestamptz);
   INSERT INTO pages VALUES (1, 1, now()), (2, 1, now())`,
  1,
);
const { rows } = await pool.query('SELECT current_schema() AS name');
const way = await heldBack(process.env.PGURL);
const clients = [];
for (let i = 0; i < 2; i++) {
  const client = new pg.Client({ connectionString: way.url, options: `-c search_path=${rows[0].name}` });
  await client.connect();
  clients.push(client);
}
const [reader, writer] = clients;

async function correct(read) {
  await read;
  await writer.query('UPDATE pages SET views = $1 WHERE id = 1', [5]);
  way.release(0);
}

async function count() {
  const { rows } = await reader.query('SELECT views FROM pages WHERE id = 1'); // (1)
  await corrected;
  await reader.query('UPDATE pages SET views = $1 WHERE id = 1', [rows[0].views + 1]); // (2)
}

const corrected = correct(way.hold(0));
await count();
console.log((await pool.query('SELECT views FROM pages WHERE id = 1')).rows);
for (const client of clients) await client.end();
way.close();
await pool.end();
