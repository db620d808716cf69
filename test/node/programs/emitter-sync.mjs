// expect: ok
import { EventEmitter, once } from 'node:events';

const events = new EventEmitter();
const account = { balance: 0 };

events.on('deposit', (amount) => {
  const { balance } = account;
  account.balance = balance + amount;
});

async function deposit(amount) {
  await null;
  events.emit('deposit', amount);
}

const first = once(events, 'deposit');
await Promise.all([deposit(10), deposit(20), first]);
console.log(account);
