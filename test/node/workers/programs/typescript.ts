// expect: ok
// prints: 6
// A worker in TypeScript.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const worker = new Worker(new URL('./lib/typed.ts', import.meta.url), {
  workerData: [1, 2, 3] satisfies number[],
});
const [sum]: number[] = await once(worker, 'message');
console.log(sum);
