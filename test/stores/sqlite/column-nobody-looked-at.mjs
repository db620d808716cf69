// expect: ok
// expect: note publish
// because: unseen
// prints: a
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT, state TEXT)');
db.exec(`INSERT INTO posts VALUES (1, 'a', 'draft')`);
const find = db.prepare('SELECT * FROM posts WHERE id = ?');
const save = db.prepare('UPDATE posts SET state = ? WHERE id = ?');

async function publish(state) {
  const post = find.get(1);
  if (post.title === '') return;
  await null;
  save.run(state, post.id);
}

await Promise.all([publish('public'), publish('hidden')]);
console.log(find.get(1).title);
