// expect: ok
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const w = new Worker(
  "require('worker_threads').parentPort.on('message', (m) => { require('worker_threads').parentPort.postMessage(m * 2); })",
  { eval: true },
);
async function ask(n) {
  let answer = null;
  const on = (m) => {
    if (m === n * 2) answer = m;
  };
  w.on('message', on);
  w.postMessage(n);
  while (answer === null) await once(w, 'message');
  w.off('message', on);
  return answer;
}
console.log((await Promise.all([ask(1), ask(2)])).join());
w.terminate();
