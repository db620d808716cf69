// because: stale-act duplicate-work
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Looked up, loaded, and then put.
const entries = new Map();
async function lookup(key) {
  if (entries.has(key)) return entries.get(key);
  const value = await turn().then(() => ({ key }));
  entries.set(key, value);
  if (entries.size > 2) entries.delete(entries.keys().next().value);
  return value;
}
module.exports = Promise.all(['a', 'a'].map(lookup));
