// expect: ok
// prints: 200,200
// Under REPEATABLE READ all reads happen at the first statement, whatever is committed meanwhile.
import { database, inTransaction } from '../support/database.mjs';

const pool = await database(
  'snapshot',
  `CREATE TABLE accounts (id integer PRIMARY KEY, balance integer NOT NULL); INSERT INTO accounts VALUES (1, 100), (2, 100);
   CREATE TABLE totals (day integer PRIMARY KEY, total integer)`,
);
let done;
const transferred = new Promise((resolve) => {
  done = resolve;
});

async function report(day) {
  return inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ', async (client) => {
    const one = await client.query('SELECT balance FROM accounts WHERE id = 1');
    await transferred;
    const two = await client.query('SELECT balance FROM accounts WHERE id = 2');
    const total = one.rows[0].balance + two.rows[0].balance;
    await client.query('INSERT INTO totals VALUES ($1, $2)', [day, total]);
    return total;
  });
}

async function transfer(amount) {
  await inTransaction(pool, 'BEGIN', async (client) => {
    await client.query('UPDATE accounts SET balance = balance - $1 WHERE id = 1', [amount]);
    await client.query('UPDATE accounts SET balance = balance + $1 WHERE id = 2', [amount]);
  });
}

const reports = [report(1), report(2)];
await transfer(10);
done();
console.log((await Promise.all(reports)).join());
await pool.end();
