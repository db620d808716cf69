// expect: violation pay
// prints: 90
// Both tasks use one connection, so that the second is in the transaction of the first, which protects it from nobody.
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, balance INTEGER)');
db.exec(`INSERT INTO accounts VALUES ('ann', 100)`);
const balance = db.prepare('SELECT balance FROM accounts WHERE id = ?');
const set = db.prepare('UPDATE accounts SET balance = ? WHERE id = ?');

async function pay(amount) {
  if (!db.inTransaction) db.exec('BEGIN');
  const row = balance.get('ann'); // (1)
  await null;
  set.run(row.balance - amount, 'ann'); // (2)
  await null;
  if (db.inTransaction) db.exec('COMMIT');
}

await Promise.all([pay(10), pay(10)]);
console.log(balance.get('ann').balance);
