// expect: violation takeQuota
// prints: done
import { createClient } from 'redis';

const client = await createClient({ url: process.env.REDIS_URL }).connect();
const key = 'node-redis-read-and-set-back';
await client.del(key);

async function takeQuota() {
  // (1)
  const used = Number(await client.get(key)) || 0;
  if (used >= 5) return false;
  // (2)
  await client.set(key, used + 1);
  return true;
}

await Promise.all([takeQuota(), takeQuota()]);
console.log('done');
await client.close();
