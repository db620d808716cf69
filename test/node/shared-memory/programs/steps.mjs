// expect: violation deposit
// expect: violation loop at steps.mjs:36
// A lock that is not taken on one path; what a loop does each time, with no function around it.
import { after, done, me, shared, start } from './lib/crew.mjs';

const balance = new Int32Array(shared);
const LOCK = 8;

function deposit(amount, isCareful, meanwhile) {
  if (isCareful) while (Atomics.compareExchange(balance, LOCK, 0, 1) !== 0);
  const before = balance[0];
  meanwhile();
  balance[0] = before + amount;
  if (isCareful) Atomics.store(balance, LOCK, 0);
}

function rest() {
  done();
  after(2);
}

if (me === 0) {
  await start(import.meta.url);
  console.log(balance[0], balance[1]);
} else if (me === 1) {
  deposit(5, true, () => {});
  deposit(5, true, rest);
  done();
} else {
  after(1);
  deposit(7, false, () => {});
  balance[1] = 4;
  done();
  after(3);
}
for (let i = 0; me === 1 && i < 1; i++) {
  const before = balance[1];
  done();
  after(5);
  balance[1] = before + 1;
}
if (me === 2) {
  after(4);
  balance[1] = 9;
  done();
}
