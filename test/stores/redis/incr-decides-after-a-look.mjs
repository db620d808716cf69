// expect: ok
// prints: 1
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'incr-decides-after-a-look';
await redis.del(key);

async function takeQuota() {
  // Spares most requests the write; what counts is what INCR says.
  if (Number(await redis.get(key)) >= 1) return false;
  const used = await redis.incr(key);
  return used <= 1;
}

const taken = await Promise.all([takeQuota(), takeQuota(), takeQuota()]);
console.log(taken.filter(Boolean).length);
await redis.quit();
