// Concurrent `wrap` of one key: get, compute, set.
import { setTimeout as sleep } from 'node:timers/promises';

const { caching } = await import(`cache-manager-${process.argv[2]}`);
const cache = await caching('memory', { max: 10, ttl: 1000 });
let computed = 0;
const load = async () => {
  computed++;
  await sleep(5);
  return 'v';
};
await Promise.all([1, 2, 3].map(() => cache.wrap('k', load)));
console.log(`computed ${computed} times`);
