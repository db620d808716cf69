// expect: ok
// A class of the program's own that extends Worker, and a process that hears of workers.
import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';

class Loud extends Worker {
  heard = 0;
  constructor(data) {
    super(new URL(import.meta.url), { workerData: data });
    this.on('message', () => this.heard++);
  }
  emit(event, ...values) {
    if (event !== 'newListener') console.log('emits', event);
    return super.emit(event, ...values);
  }
}

if (workerData === null) {
  const made = [];
  process.on('worker', (worker) => made.push(worker.constructor.name));
  const loud = new Loud(1);
  await once(loud, 'exit');
  console.log(
    loud.heard,
    loud instanceof Worker,
    loud instanceof Loud,
    Object.keys(loud).includes('heard'),
    made,
  );
} else {
  parentPort.postMessage(1);
  parentPort.postMessage(2);
}
