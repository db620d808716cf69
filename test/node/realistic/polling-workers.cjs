const turn = () => new Promise((resolve) => setImmediate(resolve));
// Workers that wait for each other's jobs.
const jobs = ['root'];
let active = 0;
const done = [];
async function worker() {
  for (;;) {
    const job = jobs.shift();
    if (job === undefined) {
      if (active === 0) return;
      await turn();
      continue;
    }
    active++;
    await turn();
    done.push(job);
    if (job === 'root') jobs.push('a', 'b', 'c');
    active--;
  }
}
module.exports = Promise.all([worker(), worker(), worker()]).then(() => done);
