// expect: violation add
// prints: { hat: '2', state: 'open' }
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const cart = 'hash-read-as-a-whole-and-set';
await redis.del(cart);
await redis.hset(cart, 'hat', 1, 'state', 'open');

async function add() {
  const items = await redis.hgetall(cart);
  if (items.state !== 'open') return;
  await redis.hset(cart, 'hat', Number(items.hat) + 1);
}

await Promise.all([add(), add()]);
console.log(await redis.hgetall(cart));
await redis.quit();
