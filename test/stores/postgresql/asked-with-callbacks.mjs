// expect: violation buy
// expect: violation takeJob
// prints: [ { left_over: 0 }, { left_over: 0 } ]
import { database } from '../support/database.mjs';
import { pairs } from '../support/pairs.mjs';

const pool = await database(
  'callbacks',
  `CREATE TABLE tickets (id integer PRIMARY KEY, left_over integer NOT NULL);
   CREATE TABLE jobs (id integer PRIMARY KEY, state text NOT NULL, worker integer);
   INSERT INTO tickets VALUES (1, 1), (2, 1); INSERT INTO jobs VALUES (1, 'new', null)`,
);
const { met, both } = pairs();

let waiting = [];
function meet(go) {
  waiting.push(go);
  if (waiting.length < 2) return;
  const all = waiting;
  waiting = [];
  for (const each of all) each();
}

/** Both have looked before one of them changes anything, in a callback: in whichever order they do. */
function buy(done) {
  pool.query('SELECT left_over FROM tickets WHERE id = $1', [1], (_error, { rows }) => {
    meet(() =>
      pool.query('UPDATE tickets SET left_over = $1 WHERE id = 1', [rows[0].left_over - 1], () => done()),
    );
  });
}

function book(done) {
  pool.query('SELECT left_over FROM tickets WHERE id = $1', [2], () => {
    meet(() =>
      pool.query('UPDATE tickets SET left_over = left_over - 1 WHERE id = 2 AND left_over > 0', () => done()),
    );
  });
}

/** By what it was found, it was looked at: the state is not in the result. */
async function takeJob(worker) {
  const { rows } = await pool.query(`SELECT id FROM jobs WHERE state = 'new' ORDER BY id LIMIT 1`);
  await met();
  await pool.query(`UPDATE jobs SET state = 'taken', worker = $2 WHERE id = $1`, [rows[0].id, worker]);
}

for (const run of [buy, book])
  await new Promise((resolve) => {
    let count = 0;
    const done = () => ++count === 2 && resolve();
    run(done);
    run(done);
  });
await both(takeJob);
console.log((await pool.query('SELECT left_over FROM tickets ORDER BY id')).rows);
await pool.end();
