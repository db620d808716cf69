// expect: ok
// prints: [ true, false ]
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE)');
const insert = db.prepare('INSERT INTO users (email) VALUES (?) ON CONFLICT (email) DO NOTHING');
const older = db.prepare('INSERT OR IGNORE INTO users (email) VALUES (?)');

async function register(email) {
  await null;
  const isNew = insert.run(email).changes === 1;
  await null;
  older.run(email);
  return isNew;
}

console.log(await Promise.all([register('a@example.com'), register('a@example.com')]));
