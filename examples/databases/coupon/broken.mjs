// One coupon, redeemed by two requests: each finds that nobody has, asks the mail server, and notes it.
import { setTimeout as after } from 'node:timers/promises';
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE redemptions (id integer PRIMARY KEY, coupon text NOT NULL, customer text NOT NULL)');

async function redeem(coupon, customer) {
  if (db.prepare('SELECT id FROM redemptions WHERE coupon = ?').get(coupon) !== undefined) return false;
  await confirmed(customer);
  db.prepare('INSERT INTO redemptions (coupon, customer) VALUES (?, ?)').run(coupon, customer);
  return true;
}

function confirmed(_customer) {
  return after(10);
}

console.log(await Promise.all([redeem('SPRING', 'ann'), redeem('SPRING', 'bob')]));
