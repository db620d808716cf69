// Workers ask the main thread for numbers of invoices; it hands them out from a store that is slow.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

if (isMainThread) {
  const store = { last: 0, given: {} };
  let turn = Promise.resolve();
  const serialize = (work) => {
    turn = turn.then(work, work);
    return turn;
  };

  const nextNumber = async (name) => {
    const number = store.last + 1;
    await sleep(4);
    store.last = number;
    store.given[name] = number;
    return number;
  };

  const start = async (name) => {
    const worker = new Worker(new URL(import.meta.url), { argv: [name] });
    worker.on('message', async ({ id }) => {
      const number = await serialize(() => nextNumber(name)); // lock: number -> const number = await nextNumber(name);
      worker.postMessage({ id, number });
    });
    await once(worker, 'exit');
  };
  await Promise.all([start('north'), start('south')]);
  console.log('numbers given');
} else {
  let id = 0;
  parentPort.on('message', () => {
    if (++id === 4) parentPort.close();
    else setTimeout(() => parentPort.postMessage({ id }), process.argv[2] === 'north' ? 25 : 40);
  });
  parentPort.postMessage({ id });
}
