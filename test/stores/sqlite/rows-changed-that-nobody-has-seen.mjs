// expect: ok
// expect: warning leave
// because: perhaps-others
// prints: 1
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE shifts (id INTEGER PRIMARY KEY, doctor TEXT, on_call INTEGER)');
db.exec(`INSERT INTO shifts SELECT value, 'doctor ' || value, value < 3 FROM json_each('[1, 2, 3]')`);
const onCall = db.prepare('SELECT count(*) AS n FROM shifts WHERE on_call = 1');
const goHome = db.prepare('UPDATE shifts SET on_call = 0 WHERE doctor = ?');
const retire = db.prepare('UPDATE shifts SET on_call = NULL WHERE doctor = ?');

async function leave(doctor) {
  const { n } = onCall.get();
  if (n < 2) return;
  await null;
  goHome.run(doctor);
}

async function end(doctor) {
  onCall.get();
  // Nobody can know that this one was not on call.
  retire.run(doctor);
}

await Promise.all([leave('doctor 1'), end('doctor 3')]);
console.log(onCall.get().n);
