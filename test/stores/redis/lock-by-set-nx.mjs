// expect: ok
// prints: 1 30
import { randomUUID } from 'node:crypto';
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const [lock, balance] = ['lock-by-set-nx:lock', 'lock-by-set-nx:balance'];
await redis.del(lock);
await redis.set(balance, 100);
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`;

async function withLock(work) {
  const token = randomUUID();
  while ((await redis.set(lock, token, 'PX', 5000, 'NX')) !== 'OK') {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  try {
    return await work();
  } finally {
    await redis.eval(RELEASE, 1, lock, token);
  }
}

const withdraw = (amount) =>
  withLock(async () => {
    const left = Number(await redis.get(balance)) - amount;
    if (left < 0) return false;
    await redis.set(balance, left);
    return true;
  });

const paid = await Promise.all([withdraw(70), withdraw(70)]);
console.log(paid.filter(Boolean).length, await redis.get(balance));
await redis.quit();
