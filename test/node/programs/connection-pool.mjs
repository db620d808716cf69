// expect: ok
class Pool {
  #idle = [];
  #waiting = [];
  #open = 0;

  constructor(limit) {
    this.limit = limit;
  }

  async acquire() {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#open < this.limit) {
      this.#open++;
      return this.#connect();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(connection) {
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
  }

  async #connect() {
    await null;
    return { id: this.#open };
  }
}

const pool = new Pool(2);
const done = [];

async function query(sql) {
  const connection = await pool.acquire();
  try {
    await new Promise(setImmediate);
    done.push(sql);
  } finally {
    pool.release(connection);
  }
}

await Promise.all(['a', 'b', 'c', 'd', 'e'].map((sql) => query(sql)));
console.log(done);
