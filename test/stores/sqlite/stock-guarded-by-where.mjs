// expect: ok
// because: tried-again
// prints: 3 0
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, stock INTEGER NOT NULL)');
db.exec(`INSERT INTO products VALUES (1, 'ticket', 3)`);
const find = db.prepare('SELECT * FROM products WHERE id = ?');
const take = db.prepare('UPDATE products SET stock = stock - 1 WHERE id = ? AND stock > 0');

async function buy() {
  if (find.get(1).stock < 1) return false;
  await null;
  return take.run(1).changes === 1;
}

console.log((await Promise.all([buy(), buy(), buy(), buy()])).filter(Boolean).length, find.get(1).stock);
