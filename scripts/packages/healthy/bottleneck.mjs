import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';

const limiter = new Bottleneck({ maxConcurrent: 2, minTime: 1 });
let running = 0;
let most = 0;
const work = async (n) => {
  running++;
  most = Math.max(most, running);
  await sleep(n % 3);
  running--;
  return n;
};
console.log(
  await Promise.all(Array.from({ length: 8 }, (_, n) => limiter.schedule({ priority: n % 2 }, work, n))),
  most,
);
const group = new Bottleneck.Group({ maxConcurrent: 1 });
console.log(
  await Promise.all(
    ['a', 'b', 'a'].map((key) =>
      group.key(key).schedule(async () => {
        await sleep(1);
        return key;
      }),
    ),
  ),
);
console.log(limiter.counts().EXECUTING);
await limiter.stop();
await group.disconnect();
