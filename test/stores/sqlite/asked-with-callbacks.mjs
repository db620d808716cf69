// expect: violation buy
// prints: false,true
// prints: false,true
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { pairs } from '../support/pairs.mjs';

const db = new sqlite3.Database(':memory:');
const get = promisify(db.get.bind(db));
const run = (text, ...values) =>
  new Promise((resolve, reject) => {
    db.run(text, values, function (error) {
      if (error) reject(error);
      else resolve(this.changes);
    });
  });
await promisify(db.exec.bind(db))(
  `CREATE TABLE stock (id INTEGER PRIMARY KEY, n INTEGER NOT NULL); INSERT INTO stock VALUES (1, 1), (2, 1);
   CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT UNIQUE)`,
);
const { met, both } = pairs();

async function buy() {
  const { n } = await get('SELECT n FROM stock WHERE id = ?', 1);
  await met();
  if (n > 0) await run('UPDATE stock SET n = ? WHERE id = ?', n - 1, 1);
}

async function guarded() {
  const { n } = await get('SELECT n FROM stock WHERE id = ?', 2);
  await met();
  return n > 0 && (await run('UPDATE stock SET n = n - 1 WHERE id = ? AND n > 0', 2)) === 1;
}

function register(done) {
  db.get('SELECT id FROM users WHERE name = ?', ['ann'], (error, row) => {
    if (error || row) return done(error, false);
    db.run('INSERT OR IGNORE INTO users (name) VALUES (?)', ['ann'], function (failed) {
      done(failed, this.changes === 1);
    });
  });
}

await both(buy);
console.log((await both(guarded)).sort().join());
console.log((await both(() => promisify(register)())).sort().join());
db.close();
