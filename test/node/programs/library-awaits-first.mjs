// expect: violation withdraw
// expect: violation deposit
// What a library calls back after an `await` of its own belongs to the function that gave it the callback, and the program's own
// AsyncLocalStorage, from when on Node has hooks of promises of its own, makes no difference to that, nor that to it.
import { AsyncLocalStorage, executionAsyncId } from 'node:async_hooks';
import vm from 'node:vm';

const later = vm.runInThisContext(`(callback) => (async () => {
  await null;
  await new Promise((resolve) => setImmediate(resolve));
  await null;
  callback();
})()`);

const account = { balance: 100 };
const own = new AsyncLocalStorage();

async function withdraw() {
  const { balance } = account; // (1)
  await later(() => {
    account.balance = balance - 10; // (2)
  });
}

async function deposit(by) {
  const { balance } = account; // (1)
  await later(() => {
    account.balance = balance + own.getStore(); // (2)
  });
  if (own.getStore() !== by) console.log('another store');
}

await Promise.all([withdraw(), withdraw()]);
console.log(account.balance, executionAsyncId());
await Promise.all([1, 2].map((by) => own.run(by, () => deposit(by))));
console.log(account.balance, own.getStore(), executionAsyncId() > 0);
