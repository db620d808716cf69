// The locks of the programs that defects are planted in: each as people write them themselves.

/** One after the other, each behind the promise of the last. */
export class Mutex {
  #last = Promise.resolve();

  run(work) {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** A mutex for each key. */
export class KeyedMutex {
  #last = new Map();

  run(key, work) {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    this.#last.set(
      key,
      result.catch(() => {}),
    );
    return result;
  }
}

/** Taken and given back by hand: `const release = await lock.acquire()`. */
export class Lock {
  #tail = Promise.resolve();

  acquire() {
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    const ready = this.#tail.then(() => release);
    this.#tail = this.#tail.then(() => held);
    return ready;
  }
}

/** Works off one job after the other. */
export class JobQueue {
  #jobs = [];
  #isWorking = false;

  add(job) {
    return new Promise((resolve, reject) => {
      this.#jobs.push(() => job().then(resolve, reject));
      if (!this.#isWorking) this.#work();
    });
  }

  async #work() {
    this.#isWorking = true;
    while (this.#jobs.length > 0) await this.#jobs.shift()();
    this.#isWorking = false;
  }
}
