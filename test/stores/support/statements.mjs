import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE products (id INTEGER PRIMARY KEY, stock INTEGER)');
db.exec('INSERT INTO products VALUES (1, 10), (2, 10)');

async function buy() {
  const { stock } = db.prepare('SELECT stock FROM products WHERE id = 1').get();
  await null;
  db.prepare('UPDATE products SET stock = ? WHERE id = 1').run(stock - 1);
}

const send = (does, text, ...values) => db.prepare(text)[does](...values);

async function buyThroughHelper() {
  const { stock } = send('get', 'SELECT stock FROM products WHERE id = ?', 2);
  await null;
  send('run', 'UPDATE products SET stock = ? WHERE id = ?', stock - 1, 2);
}

await Promise.all([buy(), buy(), buyThroughHelper(), buyThroughHelper()]);
