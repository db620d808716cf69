// Mutex, Semaphore, withTimeout and tryAcquire protect an account.
import { setTimeout as sleep } from 'node:timers/promises';
import { E_TIMEOUT, Mutex, Semaphore, tryAcquire, withTimeout } from 'async-mutex';

const mutex = new Mutex();
const account = { balance: 0 };
async function deposit(amount) {
  return mutex.runExclusive(async () => {
    const old = account.balance;
    await sleep(1);
    account.balance = old + amount;
    return account.balance;
  });
}
console.log(await Promise.all([1, 2, 3, 4].map(deposit)), account.balance);
async function withdraw(amount) {
  const release = await mutex.acquire();
  try {
    const old = account.balance;
    await sleep(1);
    if (old < amount) return false;
    account.balance = old - amount;
    return true;
  } finally {
    release();
  }
}
console.log(await Promise.all([3, 3, 3, 3].map(withdraw)), account.balance);
const semaphore = new Semaphore(2);
let running = 0;
let most = 0;
await Promise.all(
  Array.from({ length: 6 }, (_, i) =>
    semaphore.runExclusive(async () => {
      running++;
      most = Math.max(most, running);
      await sleep(i % 3);
      running--;
    }),
  ),
);
console.log(most, running, semaphore.getValue());
const impatient = withTimeout(new Mutex(), 5);
const hold = await impatient.acquire();
await impatient.acquire().catch((error) => console.log(error === E_TIMEOUT));
hold();
await tryAcquire(mutex).runExclusive(() => console.log('at once'));
mutex.cancel();
console.log(mutex.isLocked());
