// Three calls at once, with a cache that takes a while.
import { setTimeout as sleep } from 'node:timers/promises';

const pMemoize = (await import(`p-memoize-${process.argv[2]}`)).default;
const rows = new Map();
const cache = {
  async has(k) {
    await sleep(1);
    return rows.has(k);
  },
  async get(k) {
    await sleep(1);
    return rows.get(k);
  },
  async set(k, v) {
    await sleep(1);
    rows.set(k, v);
  },
  async delete(k) {
    rows.delete(k);
  },
};
let called = 0;
const get = pMemoize(
  async (id) => {
    called++;
    await sleep(3);
    return { id };
  },
  { cache },
);
await Promise.all([get(1), get(1), get(1)]);
console.log(`called ${called} times`);
