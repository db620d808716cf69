// expect: ok
// The program ends though workers are running.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const shared = new Int32Array(new SharedArrayBuffer(8));
for (const how of ['spin', 'wait', 'listen']) {
  const worker = new Worker(new URL('./lib/lasts.mjs', import.meta.url), { workerData: { how, shared } });
  await once(worker, 'message');
}
process.on('exit', (code) => console.log('exit', code));
process.exit(5);
