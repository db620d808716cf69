// expect: ok
// prints: 90
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, balance INTEGER)');
db.exec(`INSERT INTO accounts VALUES ('ann', 100)`);
const balance = db.prepare('SELECT balance FROM accounts WHERE id = ?');
const set = db.prepare('UPDATE accounts SET balance = ? WHERE id = ?');

async function pay(amount) {
  const row = balance.get('ann');
  await null;
  set.run(row.balance - amount, 'ann');
}

async function attempt() {
  db.exec('BEGIN');
  set.run(0, 'ann');
  db.exec('ROLLBACK');
}

await Promise.all([pay(10), attempt()]);
console.log(balance.get('ann').balance);
