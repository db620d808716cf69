// because: stale-act removed-unseen
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The connection is looked at, pinged, and only then taken.
class Pool {
  free = ['c1', 'c2'];
  async ping() {
    await turn();
  }
  async acquire() {
    const connection = this.free[0];
    await this.ping(connection);
    this.free.shift();
    return connection;
  }
}
const pool = new Pool();
async function query(sql) {
  return `${await pool.acquire()}: ${sql}`;
}
module.exports = Promise.all(['a', 'b'].map(query));
