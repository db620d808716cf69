// expect: ok
// An error of a worker that nobody listens for ends the program.
import { Worker } from 'node:worker_threads';

process.on('exit', (code) => console.log('ends with', code));
new Worker(new URL('./lib/fails.mjs', import.meta.url), { workerData: 'throw' });
setInterval(() => {}, 1000);
