// expect: violation withdraw
const row = { balance: 100 };
const balance = () => new Promise((resolve) => setImmediate(() => resolve(row.balance))); // (1)

function subtract(amount) {
  return new Promise((resolve) => {
    setImmediate(() => {
      row.balance -= amount; // (2)
      resolve();
    });
  });
}

async function withdraw(amount) {
  if ((await balance()) < amount) return false;
  await subtract(amount);
  return true;
}

console.log(await Promise.all([withdraw(80), withdraw(80)]), row.balance);
