// expect: violation withdraw
// expect: violation deposit
// What a module exports and changes is the same variable wherever it is imported.
import { balance, LIMIT, report, setBalance, told } from './lib/accounts.mjs';
import * as accounts from './lib/balance.mjs';

async function withdraw(amount) {
  const left = balance - amount;
  if (left < LIMIT) return;
  report();
  await null;
  setBalance(left);
}

async function deposit(amount) {
  const before = accounts.balance;
  await null;
  accounts.setBalance(before + amount);
}

await Promise.all([withdraw(30), withdraw(30)]);
await Promise.all([deposit(1), deposit(2)]);
console.log(balance, told, Object.keys(accounts).join());
