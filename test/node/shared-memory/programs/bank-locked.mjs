// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const balance = new Int32Array(shared, 0, 2);
const word = new Int32Array(shared, 8, 1);

function lock(inVain) {
  while (Atomics.compareExchange(word, 0, 0, 1) !== 0) {
    inVain();
    Atomics.wait(word, 0, 1);
  }
}

function unlock() {
  Atomics.store(word, 0, 0);
  Atomics.notify(word, 0, 1);
}

function transfer(amount, meanwhile, inVain) {
  lock(inVain);
  const from = balance[0];
  const to = balance[1];
  meanwhile();
  balance[0] = from - amount;
  balance[1] = to + amount;
  unlock();
}

if (me === 0) {
  await start(import.meta.url);
  console.log(balance[0], balance[1]);
} else if (me === 1) {
  transfer(5, () => {
    done();
    after(2);
  });
} else {
  after(1);
  transfer(3, () => {}, done);
}
