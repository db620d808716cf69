// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const total = new Int32Array(shared);

function add(amount, meanwhile) {
  // trackside-ignore-next-line it is only an estimate
  const before = Atomics.load(total, 0);
  meanwhile();
  // trackside-ignore-next-line it is only an estimate
  Atomics.store(total, 0, before + amount);
}

if (me === 0) {
  await start(import.meta.url);
  console.log(Atomics.load(total, 0));
} else if (me === 1) {
  add(5, () => {
    done();
    after(2);
  });
} else {
  after(1);
  add(3, () => {});
  done();
}
