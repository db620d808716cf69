// expect: violation worker
const jobs = ['a', 'b', 'c'];
const done = [];
let next = 0;

async function worker() {
  while (next < jobs.length) {
    const index = next; // (1)
    const result = await Promise.resolve(jobs[index].toUpperCase());
    done.push(result);
    next = index + 1; // (2)
  }
}

await Promise.all([worker(), worker()]);
console.log(done);
