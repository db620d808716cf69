// expect: ok
class Mutex {
  #tail = Promise.resolve();

  lock() {
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    const ready = this.#tail.then(() => release);
    this.#tail = this.#tail.then(() => held);
    return ready;
  }
}

const mutex = new Mutex();
let balance = 0;

async function deposit(amount) {
  const release = await mutex.lock();
  try {
    const now = balance;
    await null;
    balance = now + amount;
  } finally {
    release();
  }
}

await Promise.all([10, 20, 30].map((amount) => deposit(amount)));
console.log(balance);
