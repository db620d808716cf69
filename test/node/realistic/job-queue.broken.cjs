// because: removed-unseen stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The head is done first and taken out afterwards.
const jobs = ['a', 'b', 'c', 'd'];
const run = async (job) => {
  await turn();
  return job.toUpperCase();
};
async function worker() {
  const results = [];
  while (jobs.length > 0) {
    const job = jobs[0];
    results.push(await run(job));
    jobs.shift();
  }
  return results;
}
module.exports = Promise.all([worker(), worker()]);
