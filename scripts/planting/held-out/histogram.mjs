// Threads count into buckets; a spin lock keeps the counts and their sum together.
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const LOCK = 0;
const SUM = 1;
const BUCKETS = 2;

function acquire(cells) {
  while (Atomics.compareExchange(cells, LOCK, 0, 1) !== 0);
}

function release(cells) {
  Atomics.store(cells, LOCK, 0);
}

function add(cells, value) {
  acquire(cells); // lock: add
  cells[BUCKETS + (value % 4)] = cells[BUCKETS + (value % 4)] + 1;
  cells[SUM] = cells[SUM] + value;
  release(cells); // lock: add
}

function halve(cells) {
  acquire(cells); // lock: halve
  for (let i = 0; i < 4; i++) cells[BUCKETS + i] = cells[BUCKETS + i] >> 1;
  cells[SUM] = cells[SUM] >> 1;
  release(cells); // lock: halve
}

if (isMainThread) {
  const buffer = new SharedArrayBuffer(4 * 6);
  const workers = [1, 2, 3].map(
    (step) => new Worker(new URL(import.meta.url), { workerData: { buffer, step } }),
  );
  let running = workers.length;
  for (const worker of workers) {
    worker.on('exit', () => {
      if (--running === 0) console.log('counted', new Int32Array(buffer)[SUM] >= 0);
    });
  }
} else {
  const { buffer, step } = workerData;
  const cells = new Int32Array(buffer);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 12; i++) {
    add(cells, i * step);
    Atomics.wait(pause, 0, 0, 5 * step);
    if (i % 4 === 3) halve(cells);
  }
}
