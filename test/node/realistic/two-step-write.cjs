const turn = () => new Promise((resolve) => setImmediate(resolve));
const job = { attempts: 0, state: 0 };
async function retry() {
  await turn();
  const { attempts } = job;
  job.attempts = -1;
  job.attempts = attempts + 1;
}
module.exports = Promise.all([retry(), retry()]);
