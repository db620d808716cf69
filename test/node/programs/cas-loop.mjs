// expect: ok
// options: --schedule provoke --seed 3
import { isMainThread, workerData as seats, Worker } from 'node:worker_threads';

const take = () => {
  for (;;) {
    const n = Atomics.load(seats, 0);
    if (n === 0) return false;
    if (Atomics.compareExchange(seats, 0, n, n - 1) === n) return true;
  }
};
if (isMainThread) {
  const seats = new Int32Array(new SharedArrayBuffer(4)).fill(40);
  for (let i = 0; i < 2; i++) new Worker(new URL(import.meta.url), { workerData: seats });
} else {
  const sellAll = async () => {
    while (take()) await new Promise((r) => setImmediate(r));
  };
  await sellAll();
}
