// expect: ok
// because: order-unknown
// The answer to a change comes after that to a look which has found it: by the number that is certain, by the time nobody can tell.
import pg from 'pg';
import { database } from '../support/database.mjs';
import { heldBack } from '../support/held-back.mjs';

const pool = await database(
  'held',
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

async function correct() {
  await writer.query('UPDATE pages SET views = $1 WHERE id = 1', [5]);
}

async function count(written) {
  await written;
  const { rows } = await reader.query('SELECT views FROM pages WHERE id = 1');
  way.release(1);
  await corrected;
  await reader.query('UPDATE pages SET views = $1 WHERE id = 1', [rows[0].views + 1]);
}

async function visit() {
  await writer.query(`UPDATE pages SET seen = seen + interval '1 hour' WHERE id = 2`);
}

async function renew(written) {
  await written;
  const { rows } = await reader.query('SELECT seen FROM pages WHERE id = 2');
  way.release(1);
  await visited;
  await reader.query('UPDATE pages SET seen = $1 WHERE id = 2', [new Date(rows[0].seen.getTime() + 1000)]);
}

let written = way.hold(1);
const corrected = correct();
await count(written);
written = way.hold(1);
const visited = visit();
await renew(written);
console.log((await pool.query('SELECT views FROM pages WHERE id = 1')).rows);
for (const client of clients) await client.end();
way.close();
await pool.end();
