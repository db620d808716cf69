import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { limitFunction } from 'p-limit';
import pMap, { pMapIterable } from 'p-map';

const limit = pLimit(2);
let running = 0;
let most = 0;
const work = async (n) => {
  running++;
  most = Math.max(most, running);
  await sleep(n % 4);
  running--;
  return n * 2;
};
console.log(
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => limit(work, n))),
  most,
  limit.activeCount,
  limit.pendingCount,
);
const one = pLimit(1);
const account = { balance: 0 };
await Promise.all(
  [1, 2, 3].map((n) =>
    one(async () => {
      const old = account.balance;
      await sleep(1);
      account.balance = old + n;
    }),
  ),
);
console.log(account.balance);
console.log(await pMap([5, 4, 3, 2, 1], work, { concurrency: 2 }));
const seen = [];
for await (const value of pMapIterable([1, 2, 3, 4], work, { concurrency: 2, backpressure: 3 }))
  seen.push(value);
console.log(seen, await limitFunction(work, { concurrency: 1 })(7));
await pMap(
  [1, 2, 3],
  async (n) => {
    if (n === 2) throw new Error('two');
    return n;
  },
  { concurrency: 3, stopOnError: false },
).catch((error) => console.log(error.name, error.errors.length));
