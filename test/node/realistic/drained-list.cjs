const turn = () => new Promise((resolve) => setImmediate(resolve));
let jobs = ['a'];
const done = [];
async function send(batch) {
  await turn();
  done.push(...batch);
}
async function flush() {
  const batch = jobs.slice();
  await send(batch);
  jobs = jobs.filter((job) => !batch.includes(job));
}
async function add(job) {
  await null;
  jobs = [...jobs, job];
}
module.exports = Promise.all([flush(), add('b')]);
