// expect: violation digest
// expect: violation reserve
// expect: violation limit
// expect: violation redeem.<anonymous>
// options: --instrument !**/support/one-tick.mjs
// prints: done
import { database } from '../support/database.mjs';
import { transaction } from '../support/one-tick.mjs';
import { pairs } from '../support/pairs.mjs';

// What is made in a block of its own is not seen: nobody knows the key of `hits`.
const pool = await database(
  'keys',
  `CREATE TABLE digests (user_id integer NOT NULL, day integer NOT NULL);
   CREATE TABLE stock (sku text, place integer, quantity integer NOT NULL, PRIMARY KEY (sku, place));
   CREATE TABLE vouchers (code text PRIMARY KEY, used_by integer);
   DO $$ BEGIN CREATE TABLE hits (ip text PRIMARY KEY, period integer, n integer NOT NULL); END $$;
   INSERT INTO digests VALUES (7, 0);
   INSERT INTO stock VALUES ('tea', 1, 5), ('tea', 2, 5);
   INSERT INTO vouchers VALUES ('SPRING', null);
   INSERT INTO hits VALUES ('::1', 1, 1)`,
);
const schema = `keys_${process.pid}`;
const { met, both } = pairs();

/** There is no key at all, and no more than one row is asked for. */
async function digest() {
  const { rows } = await pool.query('SELECT day FROM digests WHERE user_id = $1 LIMIT 1', [7]);
  await met();
  if (rows[0].day < 1) await pool.query('UPDATE digests SET day = 1 WHERE user_id = $1', [7]);
}

/** One part of the key is in the condition, the other in the result; and the table is called by its schema. */
const shelf = () =>
  pool.query(`SELECT place, quantity FROM ${schema}.stock WHERE sku = $1 ORDER BY place`, ['tea']);

async function reserve() {
  const { rows } = await shelf();
  await met();
  const { place, quantity } = rows.find((row) => row.quantity > 0);
  await pool.query(`UPDATE ${schema}.stock SET quantity = $1 WHERE sku = 'tea' AND place = $2`, [
    quantity - 1,
    place,
  ]);
}

/** Each has a place of its own. */
async function restock(place) {
  const { rows } = await shelf();
  await met();
  const { quantity } = rows[place - 1];
  await pool.query(`UPDATE ${schema}.stock SET quantity = $1 WHERE sku = 'tea' AND place = $2`, [
    quantity + 10,
    place,
  ]);
}

/** It is found by more columns than it is changed by. */
async function limit() {
  const { rows } = await pool.query('SELECT n FROM hits WHERE ip = $1 AND period = $2', ['::1', 1]);
  await met();
  if (rows[0].n < 2) await pool.query('UPDATE hits SET n = n + 1 WHERE ip = $1', ['::1']);
}

async function limited() {
  await met();
  const counted = 'UPDATE hits SET n = n + 1 WHERE ip = $1 RETURNING n';
  const { rows } = await pool.query(counted, ['::1']);
  return rows[0].n < 2;
}

/** Both are sent in a callback of one of them. */
function redeem(user) {
  return transaction(pool, async (query) => {
    const { rows } = await query('SELECT used_by FROM vouchers WHERE code = $1', ['SPRING']);
    await met();
    if (rows[0].used_by === null)
      await query('UPDATE vouchers SET used_by = $1 WHERE code = $2', [user, 'SPRING']);
  });
}

/** The same with a lock. */
function hand(user) {
  return transaction(pool, async (query) => {
    const { rows } = await query('SELECT used_by FROM vouchers WHERE code = $1 FOR UPDATE', ['SPRING']);
    if (rows[0].used_by !== user)
      await query('UPDATE vouchers SET used_by = $1 WHERE code = $2', [user, 'SPRING']);
  });
}

for (const run of [digest, reserve, restock, limit, limited, redeem, hand]) await both(run);
console.log('done');
await pool.end();
