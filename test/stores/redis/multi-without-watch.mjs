// expect: violation withdraw
// prints: 2 30
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'multi-without-watch';
await redis.set(key, 100);

async function withdraw(amount) {
  // (1)
  const left = Number(await redis.get(key)) - amount;
  if (left < 0) return false;
  // (2)
  await redis.multi().set(key, left).expire(key, 60).exec();
  return true;
}

const paid = await Promise.all([withdraw(70), withdraw(70)]);
console.log(paid.filter(Boolean).length, await redis.get(key));
await redis.quit();
