// expect: ok
// prints: ann expired
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'token-used-once-by-getdel';
await redis.set(key, 'ann');

async function redeem() {
  const user = await redis.getdel(key);
  return user === null ? 'expired' : user;
}

console.log((await Promise.all([redeem(), redeem()])).sort().join(' '));
await redis.quit();
