import { setTimeout as sleep } from 'node:timers/promises';
import async from 'async';

const seen = [];
const queue = async.queue(async (n) => {
  await sleep(n % 3);
  seen.push(n);
}, 2);
queue.push([1, 2, 3, 4, 5]);
await queue.drain();
console.log(
  seen.length,
  await async.mapLimit([3, 1, 2], 2, async (n) => {
    await sleep(n);
    return n * n;
  }),
);
console.log(
  await async.auto({
    a: async () => {
      await sleep(2);
      return 1;
    },
    b: async () => 2,
    c: ['a', 'b', async ({ a, b }) => a + b],
  }),
);
let tries = 0;
console.log(
  await async.retry(3, async () => {
    if (++tries < 3) throw new Error('again');
    return tries;
  }),
);
const cargo = async.cargo(async (tasks) => {
  await sleep(1);
  seen.push(tasks.length);
}, 2);
cargo.push([1, 2, 3]);
await cargo.drain();
console.log(seen.slice(-2));
