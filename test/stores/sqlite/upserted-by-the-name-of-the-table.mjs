// expect: violation show
// prints: [ 1, 2 ]
// Query builders write the name of the table before that of the column, which only SQLite takes.
import Database from 'better-sqlite3';
import { pairs } from '../support/pairs.mjs';

const db = new Database(':memory:');
db.exec('CREATE TABLE hits (path TEXT PRIMARY KEY, n INTEGER NOT NULL)');
const upsert = 'INSERT INTO hits (path, n) VALUES (?, ?) ON CONFLICT ("hits"."path") DO UPDATE SET n =';
const { met, both } = pairs();

async function show(n) {
  const row = db.prepare('SELECT n FROM hits WHERE path = ?').get('/'); // (1)
  await met();
  const made = (row?.n ?? 0) + n;
  db.prepare(`${upsert} ?`).run('/', made, made); // (2)
}

async function count() {
  await met();
  const { n } = db.prepare(`${upsert} "hits"."n" + 1 RETURNING n`).get('/about', 1);
  return n;
}

await both(show);
console.log(await both(count));
