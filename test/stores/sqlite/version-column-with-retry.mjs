// expect: ok
// prints: 4 abc
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE docs (id INTEGER PRIMARY KEY, body TEXT, version INTEGER NOT NULL)');
db.exec(`INSERT INTO docs VALUES (1, '', 1)`);
const find = db.prepare('SELECT body, version FROM docs WHERE id = ?');
const save = db.prepare('UPDATE docs SET body = ?, version = version + 1 WHERE id = ? AND version = ?');

async function append(text) {
  for (;;) {
    const { body, version } = find.get(1);
    await null;
    if (save.run(body + text, 1, version).changes === 1) return;
  }
}

await Promise.all([append('a'), append('b'), append('c')]);
console.log(find.get(1).version, [...find.get(1).body].sort().join(''));
