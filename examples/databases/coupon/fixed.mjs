// A coupon can be noted once, and the database says whose it is.
import { setTimeout as after } from 'node:timers/promises';
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE redemptions (coupon text PRIMARY KEY, customer text NOT NULL)');

async function redeem(coupon, customer) {
  await confirmed(customer);
  const { changes } = db
    .prepare('INSERT INTO redemptions (coupon, customer) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run(coupon, customer);
  return changes === 1;
}

function confirmed(_customer) {
  return after(10);
}

console.log(await Promise.all([redeem('SPRING', 'ann'), redeem('SPRING', 'bob')]));
