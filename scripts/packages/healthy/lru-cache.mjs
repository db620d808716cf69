// `fetch` joins callers of one key, stale values while revalidating, eviction, dispose.
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

let fetched = 0;
const disposed = [];
const cache = new LRUCache({
  max: 8,
  ttl: 1000,
  allowStale: true,
  dispose: (_value, key) => disposed.push(key),
  fetchMethod: async (key) => {
    fetched++;
    await sleep(key % 3);
    return `value ${key}`;
  },
});
console.log(await Promise.all([1, 2, 1, 2, 1, 3].map((key) => cache.fetch(key))), fetched);
console.log(await Promise.all(Array.from({ length: 20 }, (_, i) => cache.fetch(i % 7))), cache.size);
cache.set(100, 'set');
cache.delete(3);
console.log([...cache.keys()].length, cache.get(100), cache.peek(3), disposed);
