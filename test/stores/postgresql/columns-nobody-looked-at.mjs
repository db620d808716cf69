// expect: ok
// prints: a,a,a
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'columns',
  `CREATE TABLE posts (id integer PRIMARY KEY, title text, body text, views integer DEFAULT 0); INSERT INTO posts VALUES (1, 'a', 'b')`,
);
const everybody = meeting(3);

async function view(id) {
  const { rows } = await pool.query('SELECT * FROM posts WHERE id = $1', [id]);
  await everybody();
  if (rows.length === 0) return null;
  await pool.query('UPDATE posts SET views = views + 1, body = $2 WHERE id = $1', [id, 'seen']);
  return rows[0].title;
}

console.log((await Promise.all([view(1), view(1), view(1)])).join());
await pool.end();
