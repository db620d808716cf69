// expect: violation count
// A function that makes a worker is no block, unless the program says that it is one.
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { atomic } from 'trackside';

const memory = isMainThread ? new SharedArrayBuffer(4) : workerData;
const counter = new Int32Array(memory);

const make = () => new Worker(new URL(import.meta.url), { workerData: memory });

if (isMainThread) {
  const another = make();
  await atomic('count', async () => {
    const before = counter[0]; // (1)
    make();
    await once(another, 'exit');
    counter[0] = before + 1; // (2)
  });
  console.log(counter[0]);
} else {
  counter[0] = 5;
}
