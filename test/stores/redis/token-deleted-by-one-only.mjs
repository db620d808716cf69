// expect: ok
// prints: ann expired
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'token-deleted-by-one-only';
await redis.set(key, 'ann');

async function redeem() {
  const user = await redis.get(key);
  if (user === null) return 'expired';
  const isMine = (await redis.del(key)) === 1;
  return isMine ? user : 'expired';
}

console.log((await Promise.all([redeem(), redeem()])).sort().join(' '));
await redis.quit();
