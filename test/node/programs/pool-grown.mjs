// expect: ok
class Pool {
  idle = [];
  waiting = [];
  size = 0;

  async acquire() {
    if (this.idle.length > 0) return this.idle.pop();
    if (this.size < 2) return { id: ++this.size };
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  release(connection) {
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.idle.push(connection);
  }
}

const pool = new Pool();

async function query(text) {
  const connection = await pool.acquire();
  try {
    await new Promise(setImmediate);
    return `${text}`;
  } finally {
    pool.release(connection);
  }
}

console.log(await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(query)), pool.idle.length);
