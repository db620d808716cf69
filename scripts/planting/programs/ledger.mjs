// A ledger of lines, each with the balance after it; the lock is announced to Trackside.
import { lock } from 'trackside';
import { Mutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

const lines = [{ text: 'opened', balance: 100 }];
const mutex = new Mutex();

async function append(text, amount) {
  const { balance } = lines.at(-1);
  await pause(2); // It is written to a disk.
  lines.push({ text, balance: balance + amount });
}

function post(text, amount) {
  return mutex.run(() => lock('ledger', () => append(text, amount))); // lock: post -> return append(text, amount);
}

await traffic(
  1200,
  [10, -20, 30, -40, 50, -60, 70].map((amount, i) => () => post(`entry ${i}`, amount)),
);
console.log(lines.length, 'lines, balance', lines.at(-1).balance);
