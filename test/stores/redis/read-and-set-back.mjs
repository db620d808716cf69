// expect: violation takeQuota
// prints: done
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'read-and-set-back';
await redis.del(key);

async function takeQuota() {
  // (1)
  const used = Number(await redis.get(key)) || 0;
  if (used >= 5) return false;
  // (2)
  await redis.set(key, used + 1, 'EX', 60);
  return true;
}

await Promise.all([takeQuota(), takeQuota()]);
console.log('done');
await redis.quit();
