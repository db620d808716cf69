// expect: ok
class ReadWriteLock {
  #readers = 0;
  #writing = false;
  #queue = [];

  #wake() {
    while (this.#queue.length > 0) {
      const { writes, resolve } = this.#queue[0];
      if (this.#writing || (writes && this.#readers > 0)) return;
      this.#queue.shift();
      if (writes) this.#writing = true;
      else this.#readers++;
      resolve();
    }
  }

  #wait(writes) {
    return new Promise((resolve) => {
      this.#queue.push({ writes, resolve });
      this.#wake();
    });
  }

  async read(work) {
    await this.#wait(false);
    try {
      return await work();
    } finally {
      this.#readers--;
      this.#wake();
    }
  }

  async write(work) {
    await this.#wait(true);
    try {
      return await work();
    } finally {
      this.#writing = false;
      this.#wake();
    }
  }
}

const lock = new ReadWriteLock();
let value = 0;

const increment = () =>
  lock.write(async () => {
    const before = value;
    await null;
    value = before + 1;
  });

const twice = () =>
  lock.read(async () => {
    const first = value;
    await null;
    return first === value;
  });

console.log(await Promise.all([twice(), increment(), twice(), increment(), twice()]), value);
