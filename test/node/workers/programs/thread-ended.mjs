// expect: ok
// A worker that ends takes nothing away from the others: messages to a thread by its number still arrive.
import { once } from 'node:events';
import { isMainThread, parentPort, postMessageToThread, Worker, workerData } from 'node:worker_threads';

const make = (name) => new Worker(new URL(import.meta.url), { workerData: name });

if (isMainThread) {
  make('first');
  const second = make('second');
  await once(second, 'message');
  for (const name of ['third', 'fourth', 'fifth']) await once(make(name), 'exit');
  await postMessageToThread(second.threadId, 'go home');
} else if (workerData === 'second') {
  const stay = setInterval(() => {}, 1000);
  process.once('workerMessage', (message, from) => {
    console.log(message, from);
    clearInterval(stay);
  });
  parentPort.postMessage('ready');
}
