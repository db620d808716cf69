// A session is one value in Redis: two requests read it, change their part, and write all of it.
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL ?? 'redis://localhost');
const key = 'example:session:ann';
await redis.set(key, '{}');

async function remember(name, value) {
  const session = JSON.parse(await redis.get(key));
  session[name] = value;
  await redis.set(key, JSON.stringify(session));
}

await Promise.all([remember('cart', 'book'), remember('language', 'en')]);
console.log(await redis.get(key));
await redis.quit();
