// expect: ok
// What a worker puts on Object.prototype is in every description of a property, too.
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  new Worker(new URL(import.meta.url), { workerData: cells }).on('exit', () => console.log(cells[0]));
} else {
  Object.prototype.get = 1;
  Object.prototype.set = 2;
  const bump = () => {
    const before = workerData[0];
    workerData[0] = before + 1;
  };
  for (let i = 0; i < 5; i++) bump();
}
