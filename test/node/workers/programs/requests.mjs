// expect: ok
// A pool of workers that answer requests: to ask and to wait for the answer is no violation.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

class Pool {
  #workers = [];
  #next = 0;
  #waiting = new Map();

  constructor(size) {
    for (let i = 0; i < size; i++) {
      const worker = new Worker(new URL(import.meta.url));
      worker.on('message', ({ id, result }) => {
        this.#waiting.get(id)(result);
        this.#waiting.delete(id);
      });
      this.#workers.push(worker);
    }
  }

  async ask(n) {
    const id = this.#next++;
    const worker = this.#workers[id % this.#workers.length];
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      worker.postMessage({ id, n });
    });
  }

  async close() {
    for (const worker of this.#workers) worker.postMessage(null);
    await Promise.all(this.#workers.map((worker) => once(worker, 'exit')));
  }
}

async function sum(pool, from) {
  const parts = await Promise.all([pool.ask(from), pool.ask(from + 1)]);
  return parts[0] + parts[1] + (await pool.ask(from + 2));
}

if (isMainThread) {
  const pool = new Pool(2);
  console.log(await Promise.all([sum(pool, 1), sum(pool, 10), sum(pool, 100)]));
  await pool.close();
} else {
  parentPort.on('message', (request) => {
    if (request === null) parentPort.close();
    else parentPort.postMessage({ id: request.id, result: request.n ** 2 });
  });
}
