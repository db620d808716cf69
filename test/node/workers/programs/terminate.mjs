// expect: ok
// A worker that computes for ever can be ended, and one that waits.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

for (const how of ['spin', 'wait', 'listen']) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL('./lib/lasts.mjs', import.meta.url), { workerData: { how, shared } });
  await once(worker, 'message');
  console.log(how, await worker.terminate(), worker.threadId);
}
