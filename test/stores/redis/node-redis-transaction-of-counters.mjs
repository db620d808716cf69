// expect: ok
// prints: 2 3
import { createClient } from 'redis';

const client = await createClient({ url: process.env.REDIS_URL }).connect();
const key = 'node-redis-transaction-of-counters';
await client.del(key);

async function takeQuota() {
  const [used] = await client.multi().incr(key).expire(key, 60).exec();
  return used <= 2;
}

const taken = await Promise.all([takeQuota(), takeQuota(), takeQuota()]);
console.log(taken.filter(Boolean).length, await client.get(key));
await client.close();
