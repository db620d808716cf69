// expect: violation allow
// prints: 2
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'sorted-set-window';
await redis.del(key);

async function allow(id) {
  // (1)
  if ((await redis.zcard(key)) >= 1) return false;
  // (2)
  await redis.zadd(key, Date.now(), id);
  return true;
}

const allowed = await Promise.all([allow('a'), allow('b')]);
console.log(allowed.filter(Boolean).length);
await redis.quit();
