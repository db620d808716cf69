// expect: ok
class Semaphore {
  #queue = [];

  constructor(count) {
    this.count = count;
  }

  async acquire() {
    if (this.count > 0) {
      this.count--;
      return;
    }
    await new Promise((resolve) => this.#queue.push(resolve));
  }

  release() {
    const next = this.#queue.shift();
    if (next) next();
    else this.count++;
  }
}

const semaphore = new Semaphore(2);
const done = [];

async function download(name) {
  await semaphore.acquire();
  try {
    await new Promise(setImmediate);
    done.push(name);
  } finally {
    semaphore.release();
  }
}

await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => download(name)));
console.log(done, semaphore.count);
