const turn = () => new Promise((resolve) => setImmediate(resolve));
let pending = [];
const stored = [];
async function save(rows) {
  await turn();
  stored.push(...rows);
}
async function flush() {
  const rows = pending;
  pending = [];
  await save(rows);
}
pending.push(1, 2);
const flushed = flush();
pending.push(3);
module.exports = flushed;
