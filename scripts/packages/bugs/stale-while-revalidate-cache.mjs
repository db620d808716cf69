// Three callers of one key at once, in a store that takes a while.
import { setTimeout as sleep } from 'node:timers/promises';

const { createStaleWhileRevalidateCache } = await import(`stale-while-revalidate-cache-${process.argv[2]}`);
const kept = new Map();
const storage = {
  async getItem(k) {
    await sleep(1);
    return kept.get(k);
  },
  async setItem(k, v) {
    await sleep(1);
    kept.set(k, v);
  },
  async removeItem(k) {
    kept.delete(k);
  },
};
const swr = createStaleWhileRevalidateCache({ storage, maxTimeToLive: 60000 });
let loaded = 0;
const load = async () => {
  loaded++;
  await sleep(5);
  return { id: 1 };
};
await Promise.all([swr('list', load), swr('list', load), swr('list', load)]);
console.log(`loaded ${loaded} times`);
