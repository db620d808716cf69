const turn = () => new Promise((resolve) => setImmediate(resolve));
// Counters are read and set back in one step.
const metrics = { hits: 0 };
const report = async (n) => {
  await turn();
  return n;
};
async function hit() {
  await null;
  metrics.hits++;
}
async function flush() {
  const { hits } = metrics;
  metrics.hits = 0;
  await report(hits);
  return hits;
}
module.exports = Promise.all([hit(), flush(), hit(), flush()]);
