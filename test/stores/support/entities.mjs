import Database from 'better-sqlite3';

/* Stands for the library that maps rows to objects: programs run it without its being instrumented. */

const db = new Database(':memory:');
db.exec(`CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT, likes INTEGER)`);
db.exec(`INSERT INTO posts VALUES (1, 'a', 0)`);

const turn = () => new Promise((resolve) => setImmediate(resolve));

class Post {
  #row;

  constructor(row) {
    this.#row = row;
    Object.assign(this, row);
  }

  /** Writes the columns that were changed. */
  async save() {
    await turn();
    for (const name of Object.keys(this.#row))
      if (this[name] !== this.#row[name])
        db.prepare(`UPDATE posts SET ${name} = ? WHERE id = ?`).run(this[name], this.id);
  }
}

export async function findPost(id) {
  await turn();
  const row = db.prepare('SELECT * FROM posts WHERE id = ?').get(id);
  return row && new Post(row);
}

export async function insertPost(title) {
  await turn();
  db.prepare('INSERT INTO posts (title, likes) VALUES (?, 0)').run(title);
}

export async function countTitles(title) {
  await turn();
  return db.prepare('SELECT id FROM posts WHERE title = ?').all(title).length;
}

/** A query that is run when it is waited for, behind a proxy, as some libraries give it. */
export function queried(query) {
  return new Proxy(
    {},
    {
      get(_, key) {
        if (key !== 'then') return undefined;
        return (resolve, reject) => turn().then(query).then(resolve, reject);
      },
    },
  );
}

export const likesOf = (id) =>
  queried(() => db.prepare('SELECT likes FROM posts WHERE id = ?').get(id).likes);

export const setLikes = (id, likes) =>
  queried(() => db.prepare('UPDATE posts SET likes = ? WHERE id = ?').run(likes, id).changes);
