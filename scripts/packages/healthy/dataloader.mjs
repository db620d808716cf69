import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';

const batches = [];
const loader = new DataLoader(async (keys) => {
  batches.push([...keys]);
  await sleep(2);
  return keys.map((key) => (key < 0 ? new Error(`bad ${key}`) : key * 10));
});
async function user(n) {
  const value = await loader.load(n);
  const next = await loader.load(n + 1);
  return value + next;
}
console.log(await Promise.all([1, 2, 3, 1].map(user)), batches);
console.log((await loader.loadMany([5, -1])).map(String));
loader.clear(5).prime(5, 1);
console.log(await loader.load(5), batches.length);
