// expect: ok
// because: tried-again
// not because: decided-earlier
// prints: 1 1
// The second part of the limiter looks again whether there is room, and adds only then.
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE limits (id INTEGER PRIMARY KEY, key TEXT, count INTEGER)');
const find = db.prepare('SELECT * FROM limits WHERE key = ?');
const insert = db.prepare('INSERT INTO limits (key, count) VALUES (?, ?)');
const update = db.prepare('UPDATE limits SET count = ? WHERE key = ?');

async function load(key) {
  await null;
  return find.get(key);
}

async function save(key, count, isKnown) {
  await null;
  if (isKnown) update.run(count, key);
  else insert.run(key, count);
}

async function isOver(key) {
  const row = await load(key);
  return row !== undefined && row.count >= 1;
}

async function count(key) {
  const row = await load(key);
  if (row !== undefined && row.count >= 1) return false;
  if (!row) await save(key, 1, false);
  else await save(key, row.count + 1, true);
  return true;
}

const answered = [];

async function handle(turn) {
  if (await isOver('a')) return false;
  await answered[turn - 1];
  return await count('a');
}

answered.push(handle(0));
answered.push(handle(1));
console.log((await Promise.all(answered)).filter(Boolean).length, find.get('a').count);
