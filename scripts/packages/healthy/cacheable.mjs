import { setTimeout as sleep } from 'node:timers/promises';
import { Cacheable, Keyv } from 'cacheable';

const cache = new Cacheable({ secondary: new Keyv(), nonBlocking: false });
let computed = 0;
const f = cache.wrap(
  async (n) => {
    computed++;
    await sleep(2);
    return { n };
  },
  { keyPrefix: 'f', ttl: '1m' },
);
console.log(await Promise.all([1, 2, 1, 1, 2].map((n) => f(n))), computed);

await cache.setMany([
  { key: 'x', value: 1 },
  { key: 'y', value: 2 },
]);
console.log(await cache.getMany(['x', 'y', 'z']), await cache.take('x'), await cache.has('x'));
await cache.clear();
