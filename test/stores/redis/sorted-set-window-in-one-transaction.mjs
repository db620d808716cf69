// expect: ok
// prints: 1
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'sorted-set-window-in-one-transaction';
await redis.del(key);

async function allow(id) {
  const [, , [, count]] = await redis
    .multi()
    .zremrangebyscore(key, 0, Date.now() - 60_000)
    .zadd(key, Date.now(), id)
    .zcard(key)
    .exec();
  return count <= 1;
}

const allowed = await Promise.all([allow('a'), allow('b')]);
console.log(allowed.filter(Boolean).length);
await redis.quit();
