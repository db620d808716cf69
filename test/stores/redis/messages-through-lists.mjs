// expect: violation plan
// prints: 3
// A worker is told what to do through a list, and answers through another one. That orders what the two processes do, though no
// value tells of it; but what the worker does is not part of the block that waits for it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const waiting = redis.duplicate();

if (process.send !== undefined) {
  for (;;) {
    const [, job] = await waiting.brpop('lists:jobs', 0);
    if (job === 'end') break;
    if (job === 'plan') await redis.set('lists:plan', '{"by":"worker"}');
    else await redis.incr('lists:count');
    await redis.lpush('lists:done', job);
  }
  process.disconnect();
} else {
  await redis.del('lists:jobs', 'lists:done', 'lists:count');
  await redis.set('lists:plan', '{}');
  const worker = fork(fileURLToPath(import.meta.url));

  async function ask(job) {
    await redis.lpush('lists:jobs', job);
    await waiting.brpop('lists:done', 0);
  }

  async function plan() {
    const before = JSON.parse(await redis.get('lists:plan')); // (1)
    await ask('plan');
    await redis.set('lists:plan', JSON.stringify({ ...before, of: 'main' })); // (2)
  }

  async function count() {
    await redis.incr('lists:count');
    await ask('count');
    await redis.incr('lists:count');
  }

  await plan();
  await count();
  console.log(await redis.get('lists:count'));
  await redis.lpush('lists:jobs', 'end');
  await once(worker, 'exit');
}
await redis.quit();
await waiting.quit();
