const turn = () => new Promise((resolve) => setImmediate(resolve));
class Pool {
  idle = [];
  size = 0;
  max = 1;
  async connect() {
    await turn();
    return {};
  }
  async acquire() {
    if (this.idle.length > 0) return this.idle.pop();
    if (this.size < this.max) {
      this.size++;
      return this.connect();
    }
    await turn();
    return this.acquire();
  }
  release(connection) {
    this.idle.push(connection);
  }
}
const pool = new Pool();
async function query() {
  const connection = await pool.acquire();
  await turn();
  pool.release(connection);
}
module.exports = Promise.all([query(), query(), query()]);
