// expect: ok
const jobs = ['a', 'b', 'c', 'd', 'e'];
const done = [];
let next = 0;

async function worker() {
  while (next < jobs.length) {
    const index = next++;
    done[index] = await Promise.resolve(jobs[index].toUpperCase());
  }
}

await Promise.all([worker(), worker()]);
console.log(done);
