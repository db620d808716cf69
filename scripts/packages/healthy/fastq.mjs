import { setTimeout as sleep } from 'node:timers/promises';
import fastq from 'fastq';

const queue = fastq.promise(async (n) => {
  await sleep(n % 3);
  if (n === 4) throw new Error('four');
  return n;
}, 2);
console.log(
  (await Promise.allSettled([1, 2, 3, 4, 5].map((n) => queue.push(n)))).map(
    ({ value, reason }) => value ?? reason.message,
  ),
  queue.length(),
  queue.idle(),
);
await queue.drained();
