// expect: ok
// prints: {"pen":"1","paper":"2"}
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'other-fields-of-a-hash';
await redis.del(key);

async function addToCart(item, amount) {
  const before = Number(await redis.hget(key, item)) || 0;
  await redis.hset(key, item, before + amount);
}

await Promise.all([addToCart('pen', 1), addToCart('paper', 2)]);
console.log(JSON.stringify(await redis.hgetall(key)));
await redis.quit();
