// because: duplicate-work
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Values are what is cached: all who miss load.
const cache = new Map();
const load = async (id) => {
  await turn();
  return { id };
};
async function get(id) {
  const known = cache.get(id);
  if (known !== undefined) return known;
  const entry = await load(id);
  cache.set(id, entry);
  return entry;
}
module.exports = Promise.all([get(1), get(1), get(2)]);
