// expect: ok
// expect: warning reserve
// because: whole-table
// prints: [ true, true ]
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE seats (id INTEGER PRIMARY KEY, event TEXT, holder TEXT)');
const count = db.prepare('SELECT COUNT(*) AS n FROM seats WHERE event LIKE ?');
const insert = db.prepare('INSERT INTO seats (event, holder) VALUES (?, ?)');

async function reserve(event, holder) {
  if (count.get(event).n >= 1) return false;
  await null;
  insert.run(event, holder);
  return true;
}

console.log(await Promise.all([reserve('opera', 'ann'), reserve('opera', 'bob')]));
