// expect: violation hold
// because: stale-act
// options: --schedule steady --seed 1
// prints: true,true
// What is in the log is handed over before anybody looks at the row.
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE seats (id INTEGER PRIMARY KEY, holder TEXT, price INTEGER)');
db.exec(`INSERT INTO seats VALUES (1, '', 5)`);

async function hold(user) {
  const seat = db.prepare('SELECT holder, price FROM seats WHERE id = 1').get(); // (1)
  await wait(300);
  await wait(1);
  if (seat.holder !== '') return false;
  db.prepare('UPDATE seats SET holder = ? WHERE id = 1').run(user); // (2)
  return true;
}

console.log((await Promise.all([hold('ann'), hold('ben')])).join());
