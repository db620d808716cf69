// expect: ok
// prints: { hat: '3', state: 'open' }
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const cart = 'hash-decided-by-other-fields';
await redis.del(cart);
await redis.hset(cart, 'hat', 1, 'state', 'open');

async function addSafely() {
  const items = await redis.hgetall(cart);
  if (Object.keys(items).length > 50 || items.state !== 'open') return;
  await redis.hincrby(cart, 'hat', 1);
}

await Promise.all([addSafely(), addSafely()]);
console.log(await redis.hgetall(cart));
await redis.quit();
