// expect: ok
// prints: [ true, false ] 30 70
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, balance INTEGER)');
db.exec(`INSERT INTO accounts VALUES ('ann', 100), ('bob', 0)`);
const balance = db.prepare('SELECT balance FROM accounts WHERE id = ?').pluck();
const set = db.prepare('UPDATE accounts SET balance = ? WHERE id = ?');

const move = db.transaction((amount) => {
  const left = balance.get('ann') - amount;
  if (left < 0) throw new Error('not enough');
  set.run(left, 'ann');
  set.run(balance.get('bob') + amount, 'bob');
});

async function transfer(amount) {
  await null;
  try {
    move(amount);
    return true;
  } catch {
    return false;
  }
}

console.log(await Promise.all([transfer(70), transfer(70)]), balance.get('ann'), balance.get('bob'));
