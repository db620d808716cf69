// expect: violation count
// A function that makes a worker is no block, unless the program says that it is one.
import { Worker, workerData } from 'node:worker_threads';
import { atomic } from 'trackside';
import { after, done, me, shared, start } from './lib/crew.mjs';

const counter = new Int32Array(shared);

if (me === 0) {
  await start(import.meta.url);
  console.log(counter[0]);
} else if (me === 1) {
  atomic('count', () => {
    const before = counter[0]; // (1)
    new Worker(new URL(import.meta.url), { workerData: { ...workerData, me: 3 } });
    done();
    after(2);
    counter[0] = before + 1; // (2)
  });
} else if (me === 2) {
  after(1);
  counter[0] = 5;
  done();
}
