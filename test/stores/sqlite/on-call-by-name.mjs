// expect: violation leave
// not because: perhaps-others
// prints: 0
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE shifts (id INTEGER PRIMARY KEY, doctor TEXT, on_call INTEGER)');
db.exec(`INSERT INTO shifts SELECT value, 'doctor ' || value, 1 FROM json_each('[1, 2]')`);
const onCall = db.prepare('SELECT count(*) AS n FROM shifts WHERE on_call = 1');
const goHome = db.prepare('UPDATE shifts SET on_call = 0 WHERE doctor = ?');

async function leave(doctor) {
  const { n } = onCall.get(); // (1)
  if (n < 2) return;
  await null;
  goHome.run(doctor); // (2)
}

await Promise.all([leave('doctor 1'), leave('doctor 2')]);
console.log(onCall.get().n);
