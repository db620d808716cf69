// expect: violation handle
// because: decided-earlier
// prints: 2 2
// A limiter in two parts that share one function to look: the second only adds to what it finds. There is no row at first.
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE limits (id INTEGER PRIMARY KEY, key TEXT, count INTEGER)');
const find = db.prepare('SELECT * FROM limits WHERE key = ?');
const insert = db.prepare('INSERT INTO limits (key, count) VALUES (?, ?)');
const update = db.prepare('UPDATE limits SET count = ? WHERE key = ?');

async function load(key) {
  await null;
  return find.get(key); // (1)
}

async function save(key, count, isKnown) {
  await null;
  if (isKnown)
    update.run(count, key); // (2)
  else insert.run(key, count);
}

async function isOver(key) {
  const row = await load(key);
  return row !== undefined && row.count >= 1;
}

async function count(key) {
  const row = await load(key);
  if (!row) await save(key, 1, false);
  else await save(key, row.count + 1, true);
}

const answered = [];

async function handle(turn) {
  if (await isOver('a')) return false;
  await answered[turn - 1];
  await count('a');
  return true;
}

answered.push(handle(0));
answered.push(handle(1));
console.log((await Promise.all(answered)).filter(Boolean).length, find.get('a').count);
