// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const total = new Int32Array(shared);

function add(amount, meanwhile) {
  for (;;) {
    const before = Atomics.load(total, 0);
    meanwhile();
    if (Atomics.compareExchange(total, 0, before, before + amount) === before) return;
  }
}

if (me === 0) {
  await start(import.meta.url);
  console.log(total[0]);
} else if (me === 1) {
  let rounds = 0;
  add(5, () => {
    if (rounds++ > 0) return;
    done();
    after(2);
  });
} else {
  after(1);
  add(3, () => {});
  done();
}
