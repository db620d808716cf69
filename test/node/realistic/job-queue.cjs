const turn = () => new Promise((resolve) => setImmediate(resolve));
// Workers share a queue: each takes what is there at once.
const jobs = ['a', 'b', 'c', 'd'];
const results = [];
const run = async (job) => {
  await turn();
  return job.toUpperCase();
};
async function worker() {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) results.push(await run(job));
}
module.exports = Promise.all([worker(), worker()]).then(() => results);
