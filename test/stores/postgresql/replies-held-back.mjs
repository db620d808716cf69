// expect: ok
// because: order-unknown
// prints: [ { views: 6 } ]
// The answer to a change comes after that to a look which has found it: by the number that is certain, by the time nobody can tell.
import { pagesBehind } from '../support/held-back.mjs';

const { pool, way, reader, writer, close } = await pagesBehind('held');

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
await close();
