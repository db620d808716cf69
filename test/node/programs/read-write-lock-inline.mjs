// expect: ok
class ReadWriteLock {
  #readers = 0;
  #writing = false;
  #queue = [];

  #wake() {
    while (this.#queue.length > 0 && !this.#writing) {
      const { writes, resolve } = this.#queue[0];
      if (writes && this.#readers > 0) return;
      this.#queue.shift();
      if (writes) this.#writing = true;
      else this.#readers++;
      resolve();
    }
  }

  async read(work) {
    if (this.#writing || this.#queue.length > 0)
      await new Promise((resolve) => this.#queue.push({ writes: false, resolve }));
    else this.#readers++;
    try {
      return await work();
    } finally {
      this.#readers--;
      this.#wake();
    }
  }

  async write(work) {
    if (this.#writing || this.#readers > 0)
      await new Promise((resolve) => this.#queue.push({ writes: true, resolve }));
    else this.#writing = true;
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

console.log(
  await Promise.all([twice(), increment(), twice(), increment(), increment(), twice(), twice()]),
  value,
);
