const turn = () => new Promise((resolve) => setImmediate(resolve));
// What has been gathered is swapped for an empty list before it is sent.
let pending = [];
const sent = [];
const post = async (batch) => {
  await turn();
  sent.push(...batch);
};
async function flush() {
  const batch = pending;
  pending = [];
  if (batch.length > 0) await post(batch);
}
async function track(event) {
  pending.push(event);
  await null;
  pending.push(`${event}!`);
}
module.exports = Promise.all([track('a'), flush(), track('b'), flush()])
  .then(() => flush())
  .then(() => sent);
