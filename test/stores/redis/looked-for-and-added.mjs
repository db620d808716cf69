// expect: violation notify
// expect: violation take
// prints: false,true
// prints: one,one
import Redis from 'ioredis';
import { meeting } from '../support/database.mjs';

const redis = new Redis(process.env.REDIS_URL);
const [seen, jobs] = ['looked-for-and-added:seen', 'looked-for-and-added:jobs'];
await redis.del(seen, jobs);
await redis.rpush(jobs, 'one', 'two');

/** Both find that it was not sent, and neither asks whether it was the first to say so. */
const bothHaveLooked = meeting(2);
async function notify() {
  if (await redis.sismember(seen, 'a')) return;
  await bothHaveLooked();
  await redis.sadd(seen, 'a');
}

const bothAsk = meeting(2);
async function notifyOnce() {
  if (await redis.sismember(seen, 'b')) return false;
  await bothAsk();
  return (await redis.sadd(seen, 'b')) === 1;
}

const bothHaveFound = meeting(2);
async function take() {
  const job = await redis.lindex(jobs, 0);
  await bothHaveFound();
  await redis.lrem(jobs, 1, job);
  return job;
}

await Promise.all([notify(), notify()]);
console.log((await Promise.all([notifyOnce(), notifyOnce()])).sort().join());
console.log((await Promise.all([take(), take()])).join());
await redis.quit();
