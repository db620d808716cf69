const turn = () => new Promise((resolve) => setImmediate(resolve));
// A place is handed on to who waits, and stays counted.
class Semaphore {
  #free = 1;
  #waiting = [];
  async acquire() {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise((resolve) => this.#waiting.push(resolve));
  }
  release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
const semaphore = new Semaphore();
const state = { total: 0 };
async function add(n) {
  await semaphore.acquire();
  try {
    const { total } = state;
    await turn();
    state.total = total + n;
  } finally {
    semaphore.release();
  }
}
module.exports = Promise.all([add(1), add(2), add(3)]);
