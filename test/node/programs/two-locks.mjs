// expect: violation withdraw
function mutex() {
  let last = Promise.resolve();
  return async (work) => {
    const before = last;
    let release;
    last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      return await work();
    } finally {
      release();
    }
  };
}

const depositLock = mutex();
const withdrawLock = mutex();
let balance = 100;

async function deposit(amount) {
  const now = balance;
  await null;
  balance = now + amount;
}

async function withdraw(amount) {
  const now = balance; // (1)
  await null;
  balance = now - amount; // (2)
}

await Promise.all([depositLock(() => deposit(10)), withdrawLock(() => withdraw(5))]);
console.log(balance);
