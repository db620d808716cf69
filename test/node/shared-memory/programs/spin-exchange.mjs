// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const { exchange, load, store } = Atomics;
const word = new Int32Array(shared, 0, 1);
const numbers = new Float64Array(shared, 8, 2);

function lock(inVain) {
  if (exchange(word, 0, 1) === 0) return;
  inVain();
  do {
    while (load(word, 0) !== 0);
  } while (exchange(word, 0, 1) !== 0);
}

function scale(factor, meanwhile, inVain) {
  lock(inVain);
  const [a, b] = numbers;
  meanwhile();
  numbers[0] = a * factor;
  numbers[1] = b * factor;
  store(word, 0, 0);
}

if (me === 0) {
  numbers.fill(1.5);
  await start(import.meta.url);
  console.log([...numbers]);
} else if (me === 1) {
  scale(2, () => {
    done();
    after(2);
  });
} else {
  after(1);
  scale(3, () => {}, done);
}
