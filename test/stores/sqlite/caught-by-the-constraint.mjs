// expect: ok
// expect: warning register
// because: caught-by-constraint
// prints: [ 'new', 'SQLITE_CONSTRAINT_UNIQUE' ]
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE)');
const find = db.prepare('SELECT id FROM users WHERE email = ?');
const insert = db.prepare('INSERT INTO users (email) VALUES (?)');

async function register(email) {
  if (find.get(email)) return 'taken';
  await null;
  try {
    insert.run(email);
    return 'new';
  } catch (error) {
    return error.code;
  }
}

console.log(await Promise.all([register('a@example.com'), register('a@example.com')]));
