import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from 'generic-pool';

let made = 0;
let destroyed = 0;
const pool = createPool(
  {
    create: async () => {
      await sleep(1);
      return { id: ++made, uses: 0 };
    },
    destroy: async () => {
      destroyed++;
    },
    validate: async () => true,
  },
  { max: 3, min: 1, testOnBorrow: true },
);
const work = async (n) =>
  pool.use(async (client) => {
    const { uses } = client;
    await sleep(n % 3);
    client.uses = uses + 1;
    return n;
  });
console.log(await Promise.all(Array.from({ length: 10 }, (_, n) => work(n))), made, pool.size);
const a = await pool.acquire();
await pool.destroy(a);
await pool.drain();
await pool.clear();
console.log(destroyed > 0, pool.borrowed);
