// expect: ok
import { isMainThread, Worker, workerData } from 'node:worker_threads';

// Whoever starts threads and waits for them is not meant to be one with all that they do.
function run(shared) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: shared });
    worker.on('error', reject);
    worker.on('exit', resolve);
  });
}

async function runAll(shared) {
  const codes = await Promise.all([run(shared), run(shared), run(shared)]);
  return codes.length;
}

if (isMainThread) {
  const shared = new SharedArrayBuffer(8);
  console.log(await runAll(shared), new Int32Array(shared)[0]);
} else {
  const cells = new Int32Array(workerData);
  for (let i = 0; i < 10; i++) {
    Atomics.add(cells, 0, 1);
    Atomics.load(cells, 0);
    Atomics.add(cells, 1, 1);
  }
}
