// expect: ok
// A worker of CommonJS is the main module of its thread, and ticks come before promises.
const { Worker } = require('node:worker_threads');

const worker = new Worker('./lib/order.cjs', { stdout: false });
// Whether the worker is online comes by another port than its messages, in any order with them.
let isOnline = false;
worker.on('online', () => (isOnline = true));
worker.on('message', (message) => console.log(message));
worker.on('exit', (code) => console.log('exit', code, isOnline));
