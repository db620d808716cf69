// expect: violation sell
import { DatabaseSync } from 'node:sqlite';

const db = new DatabaseSync(':memory:');
db.exec(
  'CREATE TABLE items (id INTEGER PRIMARY KEY, stock INTEGER NOT NULL); INSERT INTO items VALUES (1, 1)',
);
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function sell() {
  const { stock } = db.prepare('SELECT stock FROM items WHERE id = ?').get(1);
  if (stock === 0) return false;
  await turn();
  db.prepare('UPDATE items SET stock = ? WHERE id = ?').run(stock - 1, 1);
  return true;
}

// The same, where the database looks itself.
async function reserve() {
  const { stock } = db.prepare('SELECT stock FROM items WHERE id = ?').get(1);
  if (stock === 0) return false;
  await turn();
  const { changes } = db.prepare('UPDATE items SET stock = stock - 1 WHERE id = ? AND stock > 0').run(1);
  return changes === 1;
}

console.log(await Promise.all([sell(), sell()]));
db.exec('UPDATE items SET stock = 1');
console.log(await Promise.all([reserve(), reserve()]));
db.close();
