// expect: violation work.sell
// A worker that is made of the text of a function, another one of a data: URL; its own file is not what they are made of.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

function work() {
  const { workerData: stock } = process.getBuiltinModule('node:worker_threads');
  const sell = () => {
    const left = stock[0];
    // The other one has its turn meanwhile.
    turn();
    stock[0] = left - 1;
  };
  // trackside-ignore-next-line it only hands over the turn
  const turn = () =>
    Atomics.store(stock, 1, 1) && Atomics.notify(stock, 1) + Atomics.wait(stock, 2, 0).length;
  sell();
}
const stock = new Int32Array(new SharedArrayBuffer(16)).fill(5, 0, 1);
const buyer = `import { workerData as stock } from 'node:worker_threads';
Atomics.wait(stock, 1, 0);
stock[0] = stock[0] - 1;
Atomics.store(stock, 2, 1);
Atomics.notify(stock, 2);`;
const workers = [
  new Worker(`(${work})()`, { eval: true, workerData: stock }),
  new Worker(new URL(`data:text/javascript,${encodeURIComponent(buyer)}`), { workerData: stock }),
];
console.log(String(work).length, await Promise.all(workers.map((worker) => once(worker, 'exit'))), stock[0]);
