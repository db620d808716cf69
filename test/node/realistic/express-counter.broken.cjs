// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The count is read, the page is rendered, and only then it is put back.
const stats = { requests: 0 };
const render = async (n) => {
  await turn();
  return `you are visitor ${n}`;
};
async function handler() {
  const n = stats.requests + 1;
  const body = await render(n);
  stats.requests = n;
  return { status: 200, body };
}
module.exports = Promise.all([handler(), handler(), handler()]);
