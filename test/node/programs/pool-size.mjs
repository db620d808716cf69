// expect: violation Pool.connect
class Pool {
  connections = new Map();
  #ids = 0;

  async connect() {
    if (this.connections.size >= 1) return null; // (1)
    const id = ++this.#ids;
    await null;
    this.connections.set(id, { id }); // (2)
    return id;
  }
}

const pool = new Pool();
console.log(await Promise.all([pool.connect(), pool.connect()]), pool.connections.size);
