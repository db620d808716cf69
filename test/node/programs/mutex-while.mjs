// expect: ok
class Mutex {
  #locked = false;
  #queue = [];

  async lock() {
    while (this.#locked) await new Promise((resolve) => this.#queue.push(resolve));
    this.#locked = true;
  }

  unlock() {
    this.#locked = false;
    this.#queue.shift()?.();
  }
}

const mutex = new Mutex();
let balance = 0;

async function deposit(amount) {
  await mutex.lock();
  try {
    const now = balance;
    await null;
    balance = now + amount;
  } finally {
    mutex.unlock();
  }
}

await Promise.all([10, 20, 30].map((amount) => deposit(amount)));
console.log(balance);
