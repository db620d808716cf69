const turn = () => new Promise((resolve) => setImmediate(resolve));
// A guard flag that is set where it is found unset.
const job = { running: false, runs: 0 };
async function run() {
  if (job.running) return 'busy';
  job.running = true;
  try {
    await turn();
    job.runs++;
    return 'done';
  } finally {
    job.running = false;
  }
}
module.exports = Promise.all([run(), run(), run()]);
