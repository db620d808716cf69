// expect: ok
class Pool {
  #queue = [];
  #running = 0;
  #idle;

  constructor(limit) {
    this.limit = limit;
  }

  add(job) {
    this.#queue.push(job);
    this.#pump();
  }

  #pump() {
    while (this.#running < this.limit && this.#queue.length > 0) {
      this.#running++;
      this.#work(this.#queue.shift());
    }
    if (this.#running === 0) this.#idle?.();
  }

  async #work(job) {
    try {
      await job();
    } finally {
      this.#running--;
      this.#pump();
    }
  }

  drained() {
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }
}

const pool = new Pool(2);
const done = [];
for (let i = 0; i < 6; i++)
  pool.add(async () => {
    await new Promise(setImmediate);
    done.push(i);
  });
await pool.drained();
console.log(done);
