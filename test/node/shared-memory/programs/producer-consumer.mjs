// expect: ok
import { me, shared, start } from './lib/crew.mjs';

const full = new Int32Array(shared, 0, 1);
const slot = new Float64Array(shared, 8, 2);

function put(value) {
  slot[0] = value;
  slot[1] = value * value;
  Atomics.store(full, 0, 1);
  Atomics.notify(full, 0);
}

function take() {
  const value = slot[0] + slot[1];
  Atomics.store(full, 0, 0);
  Atomics.notify(full, 0);
  return value;
}

if (me === 0) {
  await start(import.meta.url);
} else if (me === 1) {
  for (let i = 1; i <= 50; i++) {
    while (Atomics.load(full, 0) === 1) Atomics.wait(full, 0, 1);
    put(i);
  }
} else {
  let sum = 0;
  for (let i = 1; i <= 50; i++) {
    while (Atomics.load(full, 0) === 0) Atomics.wait(full, 0, 0);
    sum += take();
  }
  console.log(sum);
}
