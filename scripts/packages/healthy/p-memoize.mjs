import { setTimeout as sleep } from 'node:timers/promises';
import pMemoize from 'p-memoize';
import pRetry from 'p-retry';
import pThrottle from 'p-throttle';

let calls = 0;
const slow = pMemoize(async (n) => {
  calls++;
  await sleep(2);
  if (n < 0) throw new Error('negative');
  return n * 2;
});
console.log(
  await Promise.all([1, 2, 1, 1].map((n) => slow(n))),
  calls,
  (await Promise.allSettled([slow(-1), slow(-1)])).map(({ status }) => status),
);
let attempts = 0;
console.log(
  await pRetry(
    async () => {
      if (++attempts < 3) throw new Error('again');
      return attempts;
    },
    { minTimeout: 1, maxTimeout: 2 },
  ),
);
const throttled = pThrottle({ limit: 2, interval: 10 })(async (n) => n);
console.log(await Promise.all([1, 2, 3, 4, 5].map((n) => throttled(n))));
