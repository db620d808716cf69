// expect: ok
// The same cache, where those who find nothing share one call.
const rows = new Map();
const cache = {
  async get(key) {
    await null;
    return rows.get(key);
  },
  async set(key, value) {
    await null;
    rows.set(key, value);
  },
};

let made = 0;
const loading = new Map();

async function make(key) {
  const known = await cache.get(key);
  if (known !== undefined) return known;
  const value = ++made;
  cache.set(key, value);
  return value;
}

async function load(key) {
  if (!loading.has(key)) loading.set(key, make(key));
  return loading.get(key);
}

await Promise.all([load('a'), load('a')]);
console.log(made);
