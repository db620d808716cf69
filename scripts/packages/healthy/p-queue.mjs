// Concurrency, priorities, pause and resume, timeouts, onIdle, with tasks that share nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';

const queue = new PQueue({ concurrency: 3 });
const log = [];
queue.on('idle', () => log.push('idle'));
const results = queue.addAll(
  Array.from({ length: 12 }, (_, i) => async () => {
    await sleep(i % 4);
    return i * i;
  }),
);
queue.add(async () => 'urgent', { priority: 1 }).then((value) => log.push(value));
console.log(await results);
await queue.onIdle();
const slow = new PQueue({ concurrency: 1, autoStart: false, timeout: 5, throwOnTimeout: true });
const outcomes = Promise.allSettled([
  slow.add(() => sleep(50)),
  slow.add(() => 'quick'),
  slow.add(() => {
    throw new Error('no');
  }),
]);
console.log(slow.size, slow.pending, slow.isPaused);
slow.start();
console.log((await outcomes).map(({ status, value, reason }) => `${status} ${value ?? reason?.name}`));
await slow.onEmpty();
console.log(log, queue.size, queue.pending);
