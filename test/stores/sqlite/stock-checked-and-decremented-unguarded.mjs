// expect: violation buy
// not because: tried-again
// prints: -1
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE products (id INTEGER PRIMARY KEY, stock INTEGER NOT NULL)');
db.exec('INSERT INTO products VALUES (1, 1)');
const find = db.prepare('SELECT stock FROM products WHERE id = ?');
const take = db.prepare('UPDATE products SET stock = stock - 1 WHERE id = ?');

async function buy() {
  const { stock } = find.get(1); // (1)
  await null;
  if (stock < 1) return;
  take.run(1); // (2)
}

await Promise.all([buy(), buy()]);
console.log(find.get(1).stock);
