import { setTimeout as sleep } from 'node:timers/promises';
import { createCache } from 'cache-manager';

const cache = createCache({ ttl: 10_000 });
let computed = 0;
const load = (n) =>
  cache.wrap(`k${n}`, async () => {
    computed++;
    await sleep(2);
    return { n };
  });
console.log(await Promise.all([1, 2, 1, 2, 1].map(load)), computed);
await cache.mset([
  { key: 'a', value: 1 },
  { key: 'b', value: 2 },
]);
console.log(await cache.mget(['a', 'b', 'c']), await cache.del('a'), await cache.get('a'));
