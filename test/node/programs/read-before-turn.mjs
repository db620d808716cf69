// expect: violation deposit
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
}

const mutex = new Mutex();
let balance = 100;

async function deposit(amount) {
  const now = balance; // (1)
  await mutex.acquire();
  balance = now + amount; // (2)
  mutex.release();
}

await Promise.all([10, 20, 30].map((amount) => deposit(amount)));
console.log(balance);
