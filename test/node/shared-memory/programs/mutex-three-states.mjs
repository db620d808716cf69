// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const FREE = 0;
const TAKEN = 1;
const AWAITED = 2;

class Mutex {
  constructor(words, at) {
    this.words = words;
    this.at = at;
  }
  lock(inVain) {
    const { words, at } = this;
    let state = Atomics.compareExchange(words, at, FREE, TAKEN);
    while (state !== FREE) {
      if (state === AWAITED || Atomics.compareExchange(words, at, TAKEN, AWAITED) !== FREE) {
        inVain();
        Atomics.wait(words, at, AWAITED);
      }
      state = Atomics.compareExchange(words, at, FREE, AWAITED);
    }
  }
  unlock() {
    const { words, at } = this;
    if (Atomics.sub(words, at, 1) !== TAKEN) {
      Atomics.store(words, at, FREE);
      Atomics.notify(words, at, 1);
    }
  }
}

const cells = new Int32Array(shared);
const mutex = new Mutex(cells, 4);

function deposit(amount, meanwhile, inVain) {
  mutex.lock(inVain);
  try {
    const before = cells[0];
    meanwhile();
    cells[0] = before + amount;
    cells[1]++;
  } finally {
    mutex.unlock();
  }
}

if (me === 0) {
  await start(import.meta.url);
  console.log(cells[0], cells[1]);
} else if (me === 1) {
  deposit(5, () => {
    done();
    after(2);
  });
} else {
  let tries = 0;
  after(1);
  deposit(
    3,
    () => {},
    () => {
      if (tries++ === 0) done();
    },
  );
}
