// A session is a hash in Redis: each request writes its own field.
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL ?? 'redis://localhost');
const key = 'example:session:hash:ann';
await redis.del(key);

async function remember(name, value) {
  await redis.hset(key, name, value);
}

await Promise.all([remember('cart', 'book'), remember('language', 'en')]);
console.log(await redis.hgetall(key));
await redis.quit();
