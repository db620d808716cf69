import { parentPort, workerData } from 'node:worker_threads';

const { how, shared } = workerData;
parentPort.postMessage('ready');
if (how === 'spin') for (;;) shared[0] = (shared[0] + 1) % 1000;
if (how === 'wait') Atomics.wait(shared, 1, 0);
if (how === 'listen') parentPort.on('message', () => {});
