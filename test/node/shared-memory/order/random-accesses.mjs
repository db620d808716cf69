import vm from 'node:vm';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/*
 * Threads that access a few elements at random. Each says what it has read and written, in its own order: the trace must
 * have an order of all in which that comes out. All accesses are in functions of two, so that each one is recorded.
 */
const THREADS = 3;
const ROUNDS = 1000;
const CELLS = 4;

if (isMainThread) {
  const shared = new SharedArrayBuffer(CELLS * 4);
  const starting = new SharedArrayBuffer(4);
  const said = [];
  const over = Array.from({ length: THREADS }, (_, i) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { shared, starting, me: i + 1 } });
    worker.on('message', (accesses) => said.push([`worker ${i + 1}`, accesses]));
    return new Promise((resolve) => worker.on('exit', resolve));
  });
  await Promise.all(over);
  console.log(JSON.stringify(Object.fromEntries(said)));
} else {
  const { parentPort } = await import('node:worker_threads');
  const { shared, starting, me } = workerData;
  const cells = new Int32Array(shared);
  const accesses = [];
  let seed = me * 7919;
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 16) % below;
  };
  let value = me * 1_000_000;
  const reading = (i, j) => [cells[i], cells[j]];
  const writing = (i, j, a, b) => {
    cells[i] = a;
    cells[j] = b;
  };
  const exchanging = (i, a) => [Atomics.load(cells, i), Atomics.store(cells, i, a)];
  const adding = (i) => {
    cells[i]++;
  };
  // All at once, by functions that the tool does not see.
  const { add, load } = vm.runInNewContext('Atomics');
  const started = new Int32Array(starting);
  add(started, 0, 1);
  while (load(started, 0) < THREADS);
  for (let round = 0; round < ROUNDS; round++) {
    const i = random(CELLS);
    const j = (i + 1 + random(CELLS - 1)) % CELLS;
    switch (random(4)) {
      case 0: {
        const [a, b] = reading(i, j);
        accesses.push(['r', i, a], ['r', j, b]);
        break;
      }
      case 1:
        writing(i, j, value + 1, value + 2);
        accesses.push(['w', i, ++value], ['w', j, ++value]);
        break;
      case 2: {
        const [before] = exchanging(i, ++value);
        accesses.push(['vr', i, before], ['vw', i, value]);
        break;
      }
      default:
        // It writes one more than it has read.
        adding(i);
        accesses.push(['r', i, null], ['w', i, null]);
    }
  }
  parentPort.postMessage(accesses);
}
