import { setTimeout as sleep } from 'node:timers/promises';
import { createCache } from 'async-cache-dedupe';

let calls = 0;
const cache = createCache({ ttl: 5, stale: 5, storage: { type: 'memory' } });
cache.define('user', async (id) => {
  calls++;
  await sleep(2);
  return { id };
});
cache.define(
  'tagged',
  { references: (_args, _key, result) => (result ? [`r${result.id}`] : null) },
  async (id) => {
    calls++;
    await sleep(1);
    return { id };
  },
);
console.log(await Promise.all([1, 2, 1, 1].map((id) => cache.user(id))), calls);
console.log(await Promise.all([1, 1, 2].map((id) => cache.tagged(id))), calls);
await cache.invalidateAll('r1');
console.log(await cache.tagged(1), calls);
await cache.clear();
