// expect: ok
// prints: 1 30
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const key = 'decided-by-a-script';
await redis.set(key, 100);
redis.defineCommand('withdraw', {
  numberOfKeys: 1,
  lua: `local left = redis.call('get', KEYS[1]) - ARGV[1]
        if left < 0 then return 0 end
        redis.call('set', KEYS[1], left)
        return 1`,
});

async function pay(amount) {
  if (Number(await redis.get(key)) < amount) return false;
  return (await redis.withdraw(key, amount)) === 1;
}

const paid = await Promise.all([pay(70), pay(70)]);
console.log(paid.filter(Boolean).length, await redis.get(key));
await redis.quit();
