// expect: violation buy
import { after, done, me, shared, start } from './lib/crew.mjs';

const stock = new Int32Array(shared);

function buy(meanwhile) {
  // (1)
  if (Atomics.load(stock, 0) === 0) return;
  meanwhile();
  Atomics.sub(stock, 0, 1); // (2)
}

if (me === 0) {
  stock[0] = 1;
  await start(import.meta.url);
  console.log(stock[0]);
} else if (me === 1) {
  buy(() => {
    done();
    after(2);
  });
} else {
  after(1);
  buy(() => {});
  done();
}
