// expect: ok
// A worker that is made of text.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const worker = new Worker(
  `const { parentPort, workerData } = require('node:worker_threads');
   parentPort.once('message', (n) => { parentPort.postMessage(n + workerData); });
   process.nextTick(() => {});`,
  { eval: true, workerData: 5 },
);
worker.postMessage(3);
console.log(await Promise.all([once(worker, 'message'), once(worker, 'exit')]));
const data = new Worker(new URL('data:text/javascript,import%20%22node:worker_threads%22;process.exit(4)'));
console.log(await once(data, 'exit'));
