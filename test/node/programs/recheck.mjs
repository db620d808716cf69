// expect: ok
const cache = new Map();

async function find(key) {
  if (cache.has(key)) return cache.get(key);
  const value = await Promise.resolve({ key });
  if (!cache.has(key)) cache.set(key, value);
  return cache.get(key);
}

const [a, b] = await Promise.all([find('a'), find('a')]);
console.log(a === b);
