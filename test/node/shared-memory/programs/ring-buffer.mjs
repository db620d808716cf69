// expect: ok
import { me, shared, start } from './lib/crew.mjs';

const SLOTS = 4;
const heads = new Int32Array(shared, 0, 2);
const slots = new Int32Array(shared, 8, SLOTS);
const [READ, WRITTEN] = [0, 1];

function push(value) {
  const at = Atomics.load(heads, WRITTEN);
  if (at - Atomics.load(heads, READ) === SLOTS) return false;
  slots[at % SLOTS] = value;
  Atomics.store(heads, WRITTEN, at + 1);
  return true;
}

function shift() {
  const at = Atomics.load(heads, READ);
  if (at === Atomics.load(heads, WRITTEN)) return undefined;
  const value = slots[at % SLOTS];
  Atomics.store(heads, READ, at + 1);
  return value;
}

if (me === 0) {
  await start(import.meta.url);
} else if (me === 1) {
  for (let i = 1; i <= 200; i++) while (!push(i));
} else {
  let sum = 0;
  for (let count = 0; count < 200; ) {
    const value = shift();
    if (value === undefined) continue;
    sum += value;
    count++;
  }
  console.log(sum);
}
