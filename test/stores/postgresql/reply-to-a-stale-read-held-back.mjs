// expect: violation count
// not because: order-unknown
// prints: [ { views: 2 } ]
// The answer to a look comes after that to a change which it has not found: it was there before.
import { pagesBehind } from '../support/held-back.mjs';

const { pool, way, reader, writer, close } = await pagesBehind('heldread');

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
await close();
