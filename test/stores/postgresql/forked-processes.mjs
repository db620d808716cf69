// expect: violation withdraw
// because: stale-act
// Two processes read the same balance, and both write what they have computed from it: nothing tells which of them was first, but
// something is lost either way. What they do right is done at the same time: one guarded statement, a locked row, a version
// column, an insert that may be refused.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.PGURL, max: 4 });

async function withdraw(amount) {
  const { rows } = await pool.query('SELECT balance FROM forked WHERE id = 1'); // (1)
  process.send('has read');
  await once(process, 'message');
  await pool.query('UPDATE forked SET balance = $1 WHERE id = 1', [rows[0].balance - amount]); // (2)
}

async function guarded() {
  await pool.query('UPDATE forked SET balance = balance - 70 WHERE id = 2 AND balance >= 70');
}

async function locked() {
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query('SELECT balance FROM forked WHERE id = 3 FOR UPDATE');
  await client.query('UPDATE forked SET balance = $1 WHERE id = 3', [rows[0].balance - 1]);
  await client.query('COMMIT');
  client.release();
}

async function versioned() {
  for (;;) {
    const { rows } = await pool.query('SELECT balance, version FROM forked WHERE id = 4');
    const { rowCount } = await pool.query(
      'UPDATE forked SET balance = $1, version = version + 1 WHERE id = 4 AND version = $2',
      [rows[0].balance - 1, rows[0].version],
    );
    if (rowCount === 1) return;
  }
}

async function inserted() {
  await pool.query('INSERT INTO forked VALUES (5, 0, 0) ON CONFLICT DO NOTHING');
}

if (process.send !== undefined) {
  await withdraw(70);
  for (let i = 0; i < 3; i++) await Promise.all([guarded(), locked(), versioned(), inserted()]);
  process.disconnect();
} else {
  await pool.query('DROP TABLE IF EXISTS forked');
  await pool.query('CREATE TABLE forked (id int PRIMARY KEY, balance int, version int)');
  await pool.query('INSERT INTO forked VALUES (1, 100, 0), (2, 100, 0), (3, 100, 0), (4, 100, 0)');
  const children = [1, 2].map(() => fork(fileURLToPath(import.meta.url)));
  const exits = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('go on');
  await Promise.all(exits);
  const { rows } = await pool.query('SELECT id, balance FROM forked ORDER BY id');
  console.log(rows, process.execArgv);
}
await pool.end();
