// expect: violation withDrizzle
// prints: [ 104, 93 ]
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import Knex from 'knex';
import { database, meeting } from '../support/database.mjs';

const pool = await database(
  'orms',
  `CREATE TABLE wallets (id text PRIMARY KEY, balance integer NOT NULL, name text); INSERT INTO wallets VALUES ('ann', 100), ('bob', 100)`,
);
const searchPath = [`orms_${process.pid}`];
const knex = Knex({ client: 'pg', connection: process.env.PGURL, searchPath, pool: { min: 2, max: 4 } });
const db = drizzle(pool);
const wallets = pgTable('wallets', { id: text('id').primaryKey(), balance: integer('balance').notNull() });
const again = meeting(2);

async function withDrizzle(amount) {
  const [{ balance }] = await db.select().from(wallets).where(eq(wallets.id, 'bob'));
  await again();
  await db
    .update(wallets)
    .set({ balance: balance - amount })
    .where(eq(wallets.id, 'bob'));
}

async function counted() {
  await knex('wallets').where({ id: 'ann' }).increment('balance', 1);
  await knex('wallets').where({ id: 'ann' }).increment('balance', 1);
}

/** Whether it is there is all that they look at. */
const bothAreThere = meeting(4);
async function renamed(name) {
  const row = await knex('wallets').where({ id: 'ann' }).first();
  if (!row) throw new Error('not found');
  await bothAreThere();
  await knex('wallets').where({ id: 'ann' }).update({ name });
}

async function added(amount) {
  const [row] = await db.select().from(wallets).where(eq(wallets.id, 'bob'));
  if (!row) throw new Error('not found');
  await bothAreThere();
  await db
    .update(wallets)
    .set({ balance: sql`${wallets.balance} + ${amount}` })
    .where(eq(wallets.id, 'bob'));
}

await Promise.all([withDrizzle(10), withDrizzle(10)]);
await Promise.all([renamed('a'), renamed('b'), added(1), added(2)]);
await Promise.all([counted(), counted()]);
console.log((await pool.query('SELECT balance FROM wallets ORDER BY id')).rows.map(({ balance }) => balance));
await knex.destroy();
await pool.end();
