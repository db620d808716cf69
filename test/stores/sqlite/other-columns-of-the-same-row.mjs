// expect: ok
// prints: { id: 1, name: 'ANN', seen: 7 }
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, seen INTEGER)');
db.exec(`INSERT INTO users VALUES (1, 'ann', 0)`);

async function rename() {
  const { name } = db.prepare('SELECT * FROM users WHERE id = ?').get(1);
  await null;
  db.prepare('UPDATE users SET name = ? WHERE id = ?').run(name.toUpperCase(), 1);
}

async function see() {
  db.prepare('UPDATE users SET seen = ? WHERE id = ?').run(7, 1);
}

await Promise.all([rename(), see()]);
console.log(db.prepare('SELECT * FROM users').get());
