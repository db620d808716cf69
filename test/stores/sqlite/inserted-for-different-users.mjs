// expect: ok
// prints: 2
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE redemptions (id INTEGER PRIMARY KEY, coupon TEXT, user TEXT)');
const find = db.prepare('SELECT * FROM redemptions WHERE coupon = ? AND user = ?');
const insert = db.prepare('INSERT INTO redemptions (coupon, user) VALUES (?, ?)');

async function redeem(coupon, user) {
  if (find.get(coupon, user)) return false;
  await null;
  insert.run(coupon, user);
  return true;
}

await Promise.all([redeem('X', 'ann'), redeem('X', 'bob')]);
console.log(db.prepare('SELECT count(*) AS n FROM redemptions').get().n);
