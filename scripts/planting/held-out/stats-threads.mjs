// The main thread asks, workers answer; what they learn is kept in shared memory under a lock of exchange and wait.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

class SharedStats {
  static BYTES = 16;

  constructor(buffer) {
    this.words = new Int32Array(buffer);
  }

  enter() {
    while (Atomics.compareExchange(this.words, 0, 0, 1) !== 0) Atomics.wait(this.words, 0, 1, 5);
  }

  leave() {
    Atomics.store(this.words, 0, 0);
    Atomics.notify(this.words, 0, 1);
  }

  record(duration) {
    this.enter(); // lock: record
    this.words[1] = this.words[1] + 1;
    this.words[2] = this.words[2] + duration;
    if (duration > this.words[3]) this.words[3] = duration;
    this.leave(); // lock: record
  }

  mean() {
    this.enter(); // lock: mean
    const count = this.words[1];
    const total = this.words[2];
    this.leave(); // lock: mean
    return count === 0 ? 0 : total / count;
  }
}

if (isMainThread) {
  const buffer = new SharedArrayBuffer(SharedStats.BYTES);
  const stats = new SharedStats(buffer);
  const workers = Array.from(
    { length: 3 },
    () => new Worker(new URL(import.meta.url), { workerData: buffer }),
  );
  for (let round = 0; round < 6; round++) {
    const answers = workers.map((worker) => once(worker, 'message'));
    for (const [i, worker] of workers.entries()) setTimeout(() => worker.postMessage(round * 3 + i), i * 8);
    await Promise.all(answers);
    stats.mean();
  }
  const mean = setInterval(() => stats.mean(), 5);
  for (const [i, worker] of workers.entries()) setTimeout(() => worker.postMessage(50 + i), i * 10);
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  clearInterval(mean);
  for (const worker of workers) worker.postMessage(-1);
  console.log('measured');
} else {
  const stats = new SharedStats(workerData);
  parentPort.on('message', (number) => {
    if (number < 0) {
      parentPort.close();
      return;
    }
    stats.record(number + 1);
    parentPort.postMessage('ok');
  });
}
