// expect: ok
// prints: 4
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE pages (id INTEGER PRIMARY KEY, hits INTEGER NOT NULL, shown TEXT)');
db.exec('INSERT INTO pages VALUES (1, 0, NULL)');
const hit = db.prepare('UPDATE pages SET hits = hits + 1 WHERE id = ?');

async function show() {
  hit.run(1);
  await null;
  hit.run(1);
}

await Promise.all([show(), show()]);
console.log(db.prepare('SELECT hits FROM pages').get().hits);
