// because: overwritten stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The counter is everybody's, and set to 0 by each.
let received = 0;
async function store(chunks) {
  received = 0;
  for (const chunk of chunks) {
    const before = received;
    await turn();
    received = before + chunk.length;
  }
  return received;
}
module.exports = Promise.all([store(['ab', 'c']), store(['d'])]);
