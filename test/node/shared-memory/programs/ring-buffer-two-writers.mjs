// expect: violation push
import { after, done, me, shared, start } from './lib/crew.mjs';

const heads = new Int32Array(shared, 0, 2);
const slots = new Int32Array(shared, 8, 4);

function push(value, meanwhile) {
  const at = Atomics.load(heads, 1); // (1)
  meanwhile();
  slots[at % 4] = value;
  Atomics.store(heads, 1, at + 1); // (2)
}

if (me === 0) {
  await start(import.meta.url);
  console.log(slots, heads[1]);
} else if (me === 1) {
  push(7, () => {
    done();
    after(2);
  });
} else {
  after(1);
  push(8, () => {});
  done();
}
