const turn = () => new Promise((resolve) => setImmediate(resolve));
// Connections are taken and given back in one step each; who finds none waits for one.
class Pool {
  free = ['c1', 'c2'];
  waiting = [];
  async acquire() {
    const connection = this.free.pop();
    if (connection !== undefined) return connection;
    return new Promise((resolve) => this.waiting.push(resolve));
  }
  release(connection) {
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.free.push(connection);
  }
}
const pool = new Pool();
async function query(sql) {
  const connection = await pool.acquire();
  try {
    await turn();
    return `${connection}: ${sql}`;
  } finally {
    pool.release(connection);
  }
}
module.exports = Promise.all(['a', 'b', 'c', 'd'].map(query));
