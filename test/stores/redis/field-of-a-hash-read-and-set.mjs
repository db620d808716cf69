// expect: violation addToCart
// prints: done
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'field-of-a-hash';
await redis.del(key);

async function addToCart(item, amount) {
  // (1)
  const before = Number(await redis.hget(key, item)) || 0;
  // (2)
  await redis.hset(key, item, before + amount);
}

await Promise.all([addToCart('pen', 1), addToCart('pen', 2)]);
console.log('done');
await redis.quit();
