// expect: violation deposit
let last = Promise.resolve();
let balance = 0;

async function locked(work) {
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
}

async function deposit(amount) {
  const now = await locked(async () => balance); // (1)
  await locked(async () => {
    balance = now + amount; // (2)
  });
}

await Promise.all([deposit(10), deposit(20)]);
console.log(balance);
