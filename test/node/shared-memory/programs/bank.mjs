// expect: violation transfer
import { after, done, me, shared, start } from './lib/crew.mjs';

const balance = new Int32Array(shared);

function transfer(amount, meanwhile) {
  const from = balance[0]; // (1)
  const to = balance[1];
  meanwhile();
  balance[0] = from - amount; // (2)
  balance[1] = to + amount;
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
  transfer(3, () => {});
  done();
}
