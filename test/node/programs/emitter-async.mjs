// expect: violation onDeposit
import { EventEmitter } from 'node:events';

const events = new EventEmitter();
const account = { balance: 0 };

events.on('deposit', async function onDeposit(amount) {
  const { balance } = account; // (1)
  await new Promise(setImmediate);
  account.balance = balance + amount; // (2)
});

events.emit('deposit', 10);
events.emit('deposit', 20);
for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
console.log(account);
