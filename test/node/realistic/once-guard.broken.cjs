// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The flag is set behind the wait.
const job = { running: false, runs: 0 };
const prepare = async () => {
  await turn();
};
async function run() {
  if (job.running) return 'busy';
  await prepare();
  job.running = true;
  job.runs++;
  return 'done';
}
module.exports = Promise.all([run(), run(), run()]);
