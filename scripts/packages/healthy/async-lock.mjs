import { setTimeout as sleep } from 'node:timers/promises';
import AsyncLock from 'async-lock';

const lock = new AsyncLock({ timeout: 1000 });
const stock = new Map([
  ['a', 3],
  ['b', 1],
]);
async function buy(item) {
  return lock.acquire(item, async () => {
    const left = stock.get(item);
    if (left === 0) return 'sold out';
    await sleep(1);
    stock.set(item, left - 1);
    return `${item} ${left - 1}`;
  });
}
console.log(await Promise.all(['a', 'b', 'a', 'b', 'a', 'a'].map(buy)));
console.log(
  await lock.acquire(['a', 'b'], async () => {
    await sleep(1);
    return stock.get('a') + stock.get('b');
  }),
  lock.isBusy(),
);
await lock.acquire(
  'x',
  (done) => setTimeout(() => done(null, 'called back'), 1),
  (error, value) => console.log(error ?? value),
);
