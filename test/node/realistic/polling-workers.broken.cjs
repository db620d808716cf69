// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// How many are at work is carried over the wait.
let active = 0;
const done = [];
async function worker(job) {
  const before = active;
  active = before + 1;
  await turn();
  done.push(job);
  active = before;
}
module.exports = Promise.all([worker('a'), worker('b')]).then(() => active);
