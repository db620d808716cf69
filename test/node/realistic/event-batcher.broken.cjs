// because: removed-unseen
const turn = () => new Promise((resolve) => setImmediate(resolve));
// What comes while it is sent is thrown away.
const pending = [];
const sent = [];
const post = async (batch) => {
  await turn();
  sent.push(...batch);
};
async function flush() {
  await post(pending.slice());
  pending.length = 0;
}
async function track(event) {
  await null;
  pending.push(event);
}
pending.push('first');
module.exports = Promise.all([flush(), track('a')]).then(() => sent);
