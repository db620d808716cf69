// Threads move money in shared memory, each account under a lock word of its own, taken in order.
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const ACCOUNTS = 4;

function lock(words, i) {
  while (Atomics.exchange(words, i, 1) === 1) Atomics.wait(words, i, 1, 10);
}

function unlock(words, i) {
  Atomics.store(words, i, 0);
  Atomics.notify(words, i);
}

function transfer(words, balances, from, to, amount) {
  const [first, second] = from < to ? [from, to] : [to, from];
  lock(words, first); // lock: transfer
  lock(words, second); // lock: transfer
  if (balances[from] >= amount) {
    balances[from] -= amount;
    balances[to] += amount;
  }
  unlock(words, second); // lock: transfer
  unlock(words, first); // lock: transfer
}

function audit(words, balances) {
  for (let i = 0; i < ACCOUNTS; i++) lock(words, i); // lock: audit
  let sum = 0;
  for (let i = 0; i < ACCOUNTS; i++) sum += balances[i];
  for (let i = ACCOUNTS - 1; i >= 0; i--) unlock(words, i); // lock: audit
  return sum;
}

const words = isMainThread ? new Int32Array(new SharedArrayBuffer(4 * ACCOUNTS)) : workerData.words;
const balances = isMainThread ? new Float64Array(new SharedArrayBuffer(8 * ACCOUNTS)) : workerData.balances;

if (isMainThread) {
  balances.fill(100);
  let open = 3;
  const clerk = (seed) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { words, balances, seed } });
    worker.on('exit', () => {
      open--;
    });
  };
  [1, 2, 3].forEach(clerk);
  const inspector = setInterval(() => {
    audit(words, balances);
    if (open > 0) return;
    clearInterval(inspector);
    console.log('audited');
  }, 20);
} else {
  const nap = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 10; i++) {
    const from = (i * workerData.seed) % ACCOUNTS;
    transfer(words, balances, from, (from + 1 + (i % 3)) % ACCOUNTS, 5 + i);
    Atomics.wait(nap, 0, 0, 6 + workerData.seed * 2);
  }
}
