// because: overwritten
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Each remembers where its job is, while the worker takes the first.
const queue = [];
const done = [];
async function work() {
  for (let i = 0; i < 3; i++) {
    await turn();
    const job = queue.shift();
    if (job !== undefined) done.push(job.name);
  }
}
async function produce(name) {
  const at = queue.push({ name, state: 'new' }) - 1;
  queue[at] = { name, state: 'ready' };
  await turn();
  await turn();
  if (queue[at]?.state === 'ready') done.push(`${name} waits`);
}
module.exports = Promise.all([work(), produce('one'), produce('two'), produce('three')]);
