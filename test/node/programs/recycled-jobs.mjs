// expect: ok
// A queue whose job objects are used again: whoever takes one makes the next, as a spare.
class Job {
  constructor() {
    this.value = null;
    this.done = nobody;
    this.next = null;
  }
}

function nobody() {}

// As if another package kept it.
const pool = {};
Reflect.set(pool, 'spare', new Job());
let head = null;
let tail = null;
let running = 0;

function push(value) {
  return new Promise((resolve) => {
    const job = Reflect.get(pool, 'spare');
    Reflect.set(pool, 'spare', new Job());
    job.value = value;
    job.done = resolve;
    if (running > 0) {
      if (tail === null) head = job;
      else tail.next = job;
      tail = job;
      return;
    }
    running++;
    work(job);
  });
}

async function handled(value) {
  await null;
  await null;
  return value;
}

function work(job) {
  handled(job.value).then((value) => {
    const { done } = job;
    job.done = nobody;
    const next = job.next ?? head;
    if (head === next) head = null;
    if (next === tail) tail = null;
    running--;
    done(value);
    if (next !== null) {
      running++;
      work(next);
    }
  });
}

const results = await Promise.all([1, 2, 3, 4].map(async (value) => await push(value)));
console.log(results);
