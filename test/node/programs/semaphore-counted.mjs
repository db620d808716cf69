// expect: ok
class Semaphore {
  current = 0;
  queue = [];

  async acquire() {
    if (this.current < 2) {
      this.current++;
      return;
    }
    await new Promise((resolve) => this.queue.push(resolve));
    this.current++;
  }

  release() {
    this.current--;
    this.queue.shift()?.();
  }
}

const semaphore = new Semaphore();

async function work(name) {
  await semaphore.acquire();
  await new Promise(setImmediate);
  semaphore.release();
  return name;
}

console.log(await Promise.all([1, 2, 3, 4, 5, 6].map(work)), semaphore.current);
