const turn = () => new Promise((resolve) => setImmediate(resolve));
// A handler that counts requests and answers with its own number.
const stats = { requests: 0, byRoute: new Map() };
const render = async (n) => {
  await turn();
  return `you are visitor ${n}`;
};
async function handler(req) {
  const n = ++stats.requests;
  stats.byRoute.set(req.url, (stats.byRoute.get(req.url) ?? 0) + 1);
  return { status: 200, body: await render(n) };
}
module.exports = Promise.all(['/a', '/b', '/a'].map((url) => handler({ url })));
