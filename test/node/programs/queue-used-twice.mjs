// expect: ok
// A worker that nobody waits for tells who has started it nothing about the queue.
class JobQueue {
  #jobs = [];
  #isWorking = false;

  add(job) {
    return new Promise((resolve) => {
      this.#jobs.push(() => job().then(resolve));
      if (!this.#isWorking) this.#work();
    });
  }

  async #work() {
    this.#isWorking = true;
    while (this.#jobs.length > 0) await this.#jobs.shift()();
    this.#isWorking = false;
  }
}

const queue = new JobQueue();
let done = 0;

const turns = async (count) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

async function request(before, between) {
  await turns(before);
  const found = await queue.add(async () => {
    await turns(1);
    return 2;
  });
  await turns(between);
  await queue.add(async () => {
    done += found;
  });
}

await Promise.all([request(0, 9), request(4, 9), request(8, 9)]);
console.log(done);
