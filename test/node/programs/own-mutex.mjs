// expect: ok
class Mutex {
  #locked = false;
  #waiting = [];

  async acquire() {
    if (!this.#locked) {
      this.#locked = true;
      return;
    }
    await new Promise((resolve) => this.#waiting.push(resolve));
  }

  release() {
    const next = this.#waiting.shift();
    if (next === undefined) this.#locked = false;
    else next();
  }

  async runExclusive(work) {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}

const mutex = new Mutex();
let balance = 100;

async function deposit(amount) {
  const now = balance;
  await null;
  balance = now + amount;
}

await Promise.all([10, 20, 30].map((amount) => mutex.runExclusive(() => deposit(amount))));
console.log(balance);
