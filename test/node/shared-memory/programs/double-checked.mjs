// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const state = new Int32Array(shared, 0, 2);
const table = new Int32Array(shared, 8, 2);
const [READY, LOCK] = [0, 1];

function lock(inVain) {
  while (Atomics.compareExchange(state, LOCK, 0, 1) !== 0) {
    inVain();
    Atomics.wait(state, LOCK, 1);
  }
}

function unlock() {
  Atomics.store(state, LOCK, 0);
  Atomics.notify(state, LOCK);
}

function prepared(meanwhile, inVain) {
  if (Atomics.load(state, READY) === 0) {
    lock(inVain);
    if (Atomics.load(state, READY) === 0) {
      meanwhile();
      table[0] = 6;
      table[1] = 7;
      Atomics.store(state, READY, 1);
    }
    unlock();
  }
  return table[0] * table[1];
}

if (me === 0) {
  await start(import.meta.url);
} else if (me === 1) {
  const product = prepared(() => {
    done();
    after(2);
  });
  console.log(product);
} else {
  after(1);
  prepared(() => {}, done);
}
