// Three concurrent calls of one wrapped function: get, compute, set, with awaits between.
import { setTimeout as sleep } from 'node:timers/promises';

const { Cacheable } = await import(`cacheable-${process.argv[2]}`);
const cache = new Cacheable();
let computed = 0;
const f = cache.wrap(
  async (x) => {
    computed++;
    await sleep(5);
    return x;
  },
  { keyPrefix: 'u' },
);
await Promise.all([f(1), f(1), f(1)]);
console.log(`computed ${computed} times`);
