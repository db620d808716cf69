import NodeCache from 'node-cache';

const cache = new NodeCache({ stdTTL: 100, useClones: true });
const pending = new Map();
let loads = 0;
async function load(key) {
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (!pending.has(key))
    pending.set(
      key,
      (async () => {
        await null;
        loads++;
        cache.set(key, { key });
        pending.delete(key);
        return { key };
      })(),
    );
  return pending.get(key);
}
console.log(await Promise.all(['a', 'b', 'a', 'a'].map(load)), loads, cache.keys(), cache.getStats().keys);
cache.close();
