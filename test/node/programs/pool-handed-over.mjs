// expect: ok
class Pool {
  #idle = [{ id: 0 }, { id: 1 }];
  #waiting = [];

  acquire() {
    if (this.#idle.length > 0) return Promise.resolve(this.#idle.pop());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(connection) {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }
}

const pool = new Pool();

async function query(turns) {
  const connection = await pool.acquire();
  try {
    for (let i = 0; i < turns; i++) await new Promise(setImmediate);
    return connection.id;
  } finally {
    pool.release(connection);
  }
}

const first = [3, 1, 2, 6, 1].map(query);
await Promise.race(first);
for (let i = 0; i < 4; i++) await new Promise(setImmediate);
const later = [1, 1, 4].map(query);
console.log((await Promise.all([...first, ...later])).length);
