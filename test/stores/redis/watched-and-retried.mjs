// expect: ok
// prints: 2 20
import Redis from 'ioredis';

const key = 'watched-and-retried';
const admin = new Redis(process.env.REDIS_URL);
await admin.set(key, 100);

/** A connection for each, as WATCH is of the connection. */
async function withdraw(amount) {
  const redis = new Redis(process.env.REDIS_URL);
  try {
    for (;;) {
      await redis.watch(key);
      const left = Number(await redis.get(key)) - amount;
      if (left < 0) return false;
      const done = await redis.multi().set(key, left).exec();
      if (done !== null) return true;
    }
  } finally {
    redis.disconnect();
  }
}

const paid = await Promise.all([withdraw(40), withdraw(40), withdraw(40)]);
console.log(paid.filter(Boolean).length, await admin.get(key));
await admin.quit();
