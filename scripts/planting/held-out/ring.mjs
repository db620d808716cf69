// A queue in shared memory between threads: a mutex of wait and notify.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const UNLOCKED = 0;
const LOCKED = 1;
const CONTENDED = 2;

class Mutex {
  constructor(memory, index) {
    this.memory = memory;
    this.index = index;
  }

  lock() {
    let state = Atomics.compareExchange(this.memory, this.index, UNLOCKED, LOCKED);
    while (state !== UNLOCKED) {
      if (
        state === CONTENDED ||
        Atomics.compareExchange(this.memory, this.index, LOCKED, CONTENDED) !== UNLOCKED
      ) {
        Atomics.wait(this.memory, this.index, CONTENDED);
      }
      state = Atomics.compareExchange(this.memory, this.index, UNLOCKED, CONTENDED);
    }
  }

  unlock() {
    if (Atomics.sub(this.memory, this.index, 1) !== LOCKED) {
      Atomics.store(this.memory, this.index, UNLOCKED);
      Atomics.notify(this.memory, this.index, 1);
    }
  }
}

class Ring {
  constructor(buffer) {
    this.control = new Int32Array(buffer, 0, 3);
    this.slots = new Int32Array(buffer, 12);
    this.mutex = new Mutex(this.control, 0);
  }

  push(value) {
    this.mutex.lock(); // lock: push
    const count = this.control[2];
    const isRoom = count < this.slots.length;
    if (isRoom) {
      this.slots[(this.control[1] + count) % this.slots.length] = value;
      this.control[2] = count + 1;
    }
    this.mutex.unlock(); // lock: push
    return isRoom;
  }

  shift() {
    this.mutex.lock(); // lock: shift
    const count = this.control[2];
    let value;
    if (count > 0) {
      value = this.slots[this.control[1]];
      this.control[1] = (this.control[1] + 1) % this.slots.length;
      this.control[2] = count - 1;
    }
    this.mutex.unlock(); // lock: shift
    return value;
  }
}

const nap = new Int32Array(new SharedArrayBuffer(4));

if (isMainThread) {
  const buffer = new SharedArrayBuffer(12 + 4 * 16);
  const start = (role) => new Worker(new URL(import.meta.url), { workerData: { buffer, role } });
  const workers = ['producer', 'producer', 'consumer', 'consumer'].map(start);
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  console.log('all done');
} else {
  const ring = new Ring(workerData.buffer);
  for (let i = 1; i <= 8; i++) {
    if (workerData.role === 'producer') ring.push(i);
    else ring.shift();
    Atomics.wait(nap, 0, 0, 7 + (i % 3) * 4);
  }
  parentPort.postMessage('done');
}
