// expect: ok
// not because: torn-snapshot
// The same two accounts, each of which is told for itself.
import { setImmediate as turn } from 'node:timers/promises';

const accounts = { ann: { balance: 100 }, bob: { balance: 100 } };
const balances = new Map();

async function report() {
  balances.set('ann', accounts.ann.balance);
  await turn();
  balances.set('bob', accounts.bob.balance);
}

async function move(amount) {
  await null;
  accounts.ann.balance -= amount;
  accounts.bob.balance += amount;
}

await Promise.all([report(), move(30)]);
