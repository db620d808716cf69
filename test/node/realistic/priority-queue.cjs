const turn = () => new Promise((resolve) => setImmediate(resolve));
// Producers look through what is in the queue for the place of their job; the worker takes the first.
const queue = [];
const done = [];
let wake = null;
function submit(job) {
  const at = queue.findIndex(({ priority }) => priority < job.priority);
  if (at < 0) queue.push(job);
  else queue.splice(at, 0, job);
  wake?.();
  wake = null;
}
async function work() {
  while (done.length < 6) {
    const job = queue.shift();
    if (job === undefined) {
      await new Promise((resolve) => {
        wake = resolve;
      });
      continue;
    }
    await turn();
    done.push(job.name);
  }
}
async function produce(name, priority) {
  for (let i = 0; i < 3; i++) {
    submit({ name, priority });
    await turn();
  }
}
module.exports = Promise.all([work(), produce('low', 1), produce('high', 9)]);
