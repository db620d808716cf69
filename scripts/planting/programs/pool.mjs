// A pool of connections: made when there is none, closed when there are too many.
import { Mutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

class Pool {
  #idle = [];
  #size = 0;
  #mutex = new Mutex();

  async #connect() {
    await pause(2);
    return { queries: 0 };
  }

  async #obtain() {
    if (this.#idle.length > 0) return this.#idle.pop();
    if (this.#size === 2) return null;
    const connection = await this.#connect();
    this.#size++;
    return connection;
  }

  async #shrink() {
    const [oldest, ...others] = this.#idle;
    if (oldest === undefined) return;
    await pause(1); // It says goodbye.
    this.#idle = others;
    this.#size--;
  }

  obtain() {
    return this.#mutex.run(() => this.#obtain()); // lock: obtain -> return this.#obtain();
  }

  shrink() {
    return this.#mutex.run(() => this.#shrink()); // lock: shrink -> return this.#shrink();
  }

  async #put(connection) {
    this.#idle.push(connection);
  }

  giveBack(connection) {
    return this.#mutex.run(() => this.#put(connection)); // lock: give back -> return this.#put(connection);
  }

  get size() {
    return this.#size;
  }
}

const pool = new Pool();

async function query() {
  const connection = await pool.obtain();
  if (connection === null) return 'busy';
  await pause(3);
  connection.queries++;
  await pool.giveBack(connection);
  return 'ok';
}

const shrink = () => pool.shrink();
await traffic(1500, [query, query, shrink, query, query, shrink, query, query, shrink]);
console.log('size at most 2:', pool.size <= 2);
