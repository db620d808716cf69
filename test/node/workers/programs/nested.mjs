// expect: violation add
// Workers of workers, and what is not atomic in the innermost one.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const state = { n: 0 };

async function add(amount) {
  const n = state.n; // (1)
  await null;
  state.n = n + amount; // (2)
}

const depth = workerData ?? 0;
if (depth < 2) {
  const worker = new Worker(new URL(import.meta.url), { workerData: depth + 1 });
  const exit = once(worker, 'exit');
  const [message] = await once(worker, 'message');
  const [code] = await exit;
  const line = `${depth}: ${message} ${code}`;
  if (isMainThread) console.log(line);
  else parentPort.postMessage(line);
} else {
  await Promise.all([add(1), add(2)]);
  parentPort.postMessage(`innermost has ${state.n}`);
}
