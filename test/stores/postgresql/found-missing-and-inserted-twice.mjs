// expect: violation redeem
// prints: [ true, true ]
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'coupon',
  'CREATE TABLE redemptions (id serial PRIMARY KEY, coupon text, customer text)',
);
const met = meeting(2);

async function redeem(coupon, customer) {
  const known = [coupon, customer];
  const { rows } = await pool.query('SELECT 1 FROM redemptions WHERE coupon = $1 AND customer = $2', known); // (1)
  await met();
  if (rows.length > 0) return false;
  await pool.query('INSERT INTO redemptions (coupon, customer) VALUES ($1, $2)', known); // (2)
  return true;
}

console.log(await Promise.all([redeem('X', 'ann'), redeem('X', 'ann')]));
await pool.end();
