// expect: violation redeem
// prints: done
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'token-read-and-deleted';
await redis.set(key, 'ann');

async function redeem() {
  // (1)
  const user = await redis.get(key);
  if (user === null) return 'expired';
  // (2)
  await redis.del(key);
  return user;
}

await Promise.all([redeem(), redeem()]);
console.log('done');
await redis.quit();
