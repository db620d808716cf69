// expect: ok
// prints: 1
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'counted-by-incr';
await redis.del(key);

async function takeQuota() {
  const used = await redis.incr(key);
  if (used === 1) await redis.expire(key, 60);
  return used <= 1;
}

const taken = await Promise.all([takeQuota(), takeQuota(), takeQuota()]);
console.log(taken.filter(Boolean).length);
await redis.quit();
