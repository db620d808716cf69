// expect: violation load
// A cache is filled by a call that nobody awaits: the block that found nothing there is over by then.
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

async function load(key) {
  const known = await cache.get(key);
  if (known !== undefined) return known;
  const value = ++made;
  cache.set(key, value);
  return value;
}

await Promise.all([load('a'), load('a')]);
console.log(made);
