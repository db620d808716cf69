// expect: violation Semaphore.acquire
class Semaphore {
  active = 0;
  waiting = [];

  async acquire() {
    // (1)
    if (this.active >= 1) await new Promise((resolve) => this.waiting.push(resolve));
    this.active++; // (2)
  }

  release() {
    this.active--;
    this.waiting.shift()?.();
  }
}

const semaphore = new Semaphore();
let most = 0;

// Whoever comes between the wake-up and the count takes a place that was promised.
async function work() {
  for (let i = 0; i < 2; i++) {
    await semaphore.acquire();
    most = Math.max(most, semaphore.active);
    await new Promise(setImmediate);
    semaphore.release();
  }
}

await Promise.all([work(), work()]);
console.log(most);
