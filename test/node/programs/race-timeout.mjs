// expect: violation refresh
import { setTimeout as sleep } from 'node:timers/promises';

const config = { value: 'old', reads: 0 };

async function refresh(delay, value) {
  const { reads } = config; // (1)
  await sleep(delay);
  config.value = value;
  config.reads = reads + 1; // (2)
}

await Promise.race([refresh(12, 'slow'), sleep(2)]);
await refresh(1, 'fast');
await sleep(20);
console.log(config);
