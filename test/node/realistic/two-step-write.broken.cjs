// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
const job = { attempts: 0, state: 0 };
async function retry() {
  const { attempts } = job;
  await turn();
  job.attempts = -1;
  job.attempts = attempts + 1;
}
module.exports = Promise.all([retry(), retry()]);
