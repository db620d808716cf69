// expect: ok
// expect: warning report
// because: torn-snapshot
// One account is read before, and the other after money has moved from the one to the other: the sum was never there.
import { setImmediate as turn } from 'node:timers/promises';

const accounts = { ann: { balance: 100 }, bob: { balance: 100 } };
const totals = [];

async function report() {
  const ann = accounts.ann.balance;
  await turn();
  const bob = accounts.bob.balance;
  totals.push(ann + bob);
}

async function move(amount) {
  await null;
  accounts.ann.balance -= amount;
  accounts.bob.balance += amount;
}

await Promise.all([report(), move(30)]);
