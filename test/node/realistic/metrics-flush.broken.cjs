// because: removed-unseen stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// What is counted while it is reported is set to 0.
const metrics = { hits: 1 };
const report = async (n) => {
  await turn();
  return n;
};
async function hit() {
  await null;
  metrics.hits++;
}
async function flush() {
  await report(metrics.hits);
  metrics.hits = 0;
}
module.exports = Promise.all([flush(), hit()]);
