// expect: violation withdraw
// prints: done
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const [lock, balance] = ['lock-looked-for:lock', 'lock-looked-for:balance'];
await redis.del(lock);
await redis.set(balance, 100);

async function withdraw(amount) {
  // (1)
  if (await redis.exists(lock)) return 'busy';
  // (2)
  await redis.set(lock, '1');
  const left = Number(await redis.get(balance)) - amount;
  await redis.set(balance, left);
  await redis.del(lock);
  return 'paid';
}

await Promise.all([withdraw(70), withdraw(70)]);
console.log('done');
await redis.quit();
