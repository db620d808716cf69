// expect: ok
// prints: abcd
import { database } from '../support/database.mjs';

const pool = await database(
  'versions',
  `CREATE TABLE docs (id integer PRIMARY KEY, body text, version integer NOT NULL); INSERT INTO docs VALUES (1, '', 1)`,
);

async function append(text) {
  for (;;) {
    const { rows } = await pool.query('SELECT body, version FROM docs WHERE id = $1', [1]);
    const { rowCount } = await pool.query(
      'UPDATE docs SET body = $1, version = version + 1 WHERE id = $2 AND version = $3',
      [rows[0].body + text, 1, rows[0].version],
    );
    if (rowCount === 1) return;
  }
}

await Promise.all(['a', 'b', 'c', 'd'].map(append));
const { rows } = await pool.query('SELECT * FROM docs');
console.log([...rows[0].body].sort().join(''));
await pool.end();
