// The database checks and changes the balance in one statement.
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.PGURL ?? 'postgres://localhost/postgres' });
await pool.query('DROP TABLE IF EXISTS example_accounts');
await pool.query('CREATE TABLE example_accounts (id text PRIMARY KEY, balance integer NOT NULL)');
await pool.query(`INSERT INTO example_accounts VALUES ('ann', 100)`);

// Two connections are open, as in a server that has been running for a while.
await Promise.all([pool.query('SELECT 1'), pool.query('SELECT 1')]);

async function withdraw(amount) {
  const { rowCount } = await pool.query(
    'UPDATE example_accounts SET balance = balance - $1 WHERE id = $2 AND balance >= $1',
    [amount, 'ann'],
  );
  return rowCount === 1;
}

console.log(await Promise.all([withdraw(70), withdraw(70)]));
await pool.end();
