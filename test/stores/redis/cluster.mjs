// expect: violation remember
// prints: 1 6
// Two workers of a cluster read the same list and write it back; what they count by themselves is in order.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);

async function remember(name) {
  const names = JSON.parse((await redis.get('cluster:names')) ?? '[]'); // (1)
  process.send('has read');
  await once(process, 'message');
  await redis.set('cluster:names', JSON.stringify([...names, name])); // (2)
}

async function count() {
  for (let i = 0; i < 3; i++) await redis.incr('cluster:count');
}

if (cluster.isPrimary) {
  await redis.del('cluster:names', 'cluster:count');
  const workers = ['ann', 'bob'].map((name) => cluster.fork({ CLUSTER_NAME: name }));
  const exits = workers.map((worker) => once(worker, 'exit'));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  for (const worker of workers) worker.send('go on');
  await Promise.all(exits);
  console.log(JSON.parse(await redis.get('cluster:names')).length, await redis.get('cluster:count'));
} else {
  await remember(process.env.CLUSTER_NAME);
  await count();
  process.disconnect();
}
await redis.quit();
