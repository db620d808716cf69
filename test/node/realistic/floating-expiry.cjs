const turn = () => new Promise((resolve) => setImmediate(resolve));
const entries = new Map([['a', { value: 1, expired: true }]]);
async function evict(key) {
  await turn();
  entries.delete(key);
}
async function get(key) {
  const entry = entries.get(key);
  if (!entry) return undefined;
  if (entry.expired) {
    await evict(key);
    return undefined;
  }
  return entry.value;
}
async function main() {
  await get('a');
  entries.set('a', { value: 2, expired: false });
  await turn();
  return get('a');
}
module.exports = main();
