// expect: ok
// prints: a b c
import Redis from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const [queue, working] = ['jobs-taken:queue', 'jobs-taken:working'];
await redis.del(queue, working);
await redis.rpush(queue, 'a', 'b', 'c');
const done = [];

async function work() {
  for (;;) {
    const job = await redis.lmove(queue, working, 'LEFT', 'RIGHT');
    if (job === null) return;
    done.push(job);
    await redis.lrem(working, 1, job);
  }
}

await Promise.all([work(), work()]);
console.log(done.sort().join(' '));
await redis.quit();
