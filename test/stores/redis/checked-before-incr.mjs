// expect: violation takeQuota
// prints: 3
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'checked-before-incr';
await redis.del(key);

async function takeQuota() {
  // (1)
  if (Number(await redis.get(key)) >= 1) return false;
  // (2)
  await redis.incr(key);
  return true;
}

const taken = await Promise.all([takeQuota(), takeQuota(), takeQuota()]);
console.log(taken.filter(Boolean).length);
await redis.quit();
