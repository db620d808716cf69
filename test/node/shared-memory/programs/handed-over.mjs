// expect: ok
import { isMainThread, MessageChannel, Worker, workerData } from 'node:worker_threads';

// Whoever has the token may write: it goes to and fro by messages.
function step(cells, by) {
  const before = cells[0];
  cells[0] = before + by;
  cells[1] = before;
}

if (isMainThread) {
  const { port1, port2 } = new MessageChannel();
  const shared = new SharedArrayBuffer(16);
  const over = [port1, port2].map((port, i) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { port, shared, by: i + 1, first: i === 0 },
      transferList: [port],
    });
    return new Promise((resolve) => worker.on('exit', resolve));
  });
  await Promise.all(over);
  console.log(new Int32Array(shared));
} else {
  const { port, shared, by, first } = workerData;
  const cells = new Int32Array(shared);
  const go = (left) => {
    step(cells, by);
    port.postMessage(left - 1);
    if (left <= 1) port.close();
  };
  port.on('message', (left) => {
    if (left > 0) go(left);
    else port.close();
  });
  if (first) go(6);
}
