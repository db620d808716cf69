// expect: violation buy
// not because: unseen
// prints: 2
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, stock INTEGER NOT NULL)');
db.exec(`INSERT INTO products VALUES (1, 'ticket', 3)`);
const find = db.prepare('SELECT * FROM products WHERE id = ?');
const save = db.prepare('UPDATE products SET name = @name, stock = @stock WHERE id = @id');

async function buy() {
  const product = find.get(1); // (1)
  if (product.stock < 1) return;
  await null;
  save.run({ ...product, stock: product.stock - 1 }); // (2)
}

await Promise.all([buy(), buy()]);
console.log(find.get(1).stock);
