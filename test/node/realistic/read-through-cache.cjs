const turn = () => new Promise((resolve) => setImmediate(resolve));
// Promises are what is cached, so that nothing is loaded twice.
const cache = new Map();
const load = async (id) => {
  await turn();
  return { id };
};
async function get(id) {
  let entry = cache.get(id);
  if (entry === undefined) {
    entry = load(id);
    cache.set(id, entry);
    entry.catch(() => cache.delete(id));
  }
  return entry;
}
module.exports = Promise.all([get(1), get(1), get(2)]);
