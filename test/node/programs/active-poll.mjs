// expect: ok
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const jobs = ['root'];
let active = 0;
const done = [];
async function worker() {
  for (;;) {
    const job = jobs.shift();
    if (job === undefined) {
      if (active === 0) return; // nobody works any more, so nothing will come
      await sleep(1);
      continue;
    }
    active++;
    await sleep(3);
    done.push(job);
    if (job === 'root') jobs.push('a', 'b', 'c');
    active--;
  }
}
await Promise.all([worker(), worker(), worker()]);
console.log(done.length);
