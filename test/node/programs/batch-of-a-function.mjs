// expect: violation withdraw
// A plain function makes the promise, and whoever works off the batch settles it.
const balances = new Map([
  ['ann', 100],
  ['bob', 50],
]);
let asked = null;

function balanceOf(name) {
  if (asked === null) {
    const batch = new Map();
    asked = batch;
    queueMicrotask(async () => {
      asked = null;
      await new Promise((resolve) => setImmediate(resolve));
      for (const [key, resolvers] of batch) for (const resolve of resolvers) resolve(balances.get(key));
    });
  }
  const answer = new Promise((resolve) => {
    if (!asked.has(name)) asked.set(name, []);
    asked.get(name).push(resolve);
  });
  return answer;
}

async function withdraw(name, amount) {
  const balance = await balanceOf(name);
  if (balance < amount) return false;
  await null;
  balances.set(name, balance - amount);
  return true;
}

async function withdrawWhatIsThere(name, amount) {
  const balance = await balanceOf(name);
  if (balance < amount) return false;
  await null;
  if (balances.get(name) < amount) return false;
  balances.set(name, balances.get(name) - amount);
  return true;
}

console.log(await Promise.all([withdraw('ann', 70), withdraw('ann', 60), withdraw('bob', 10)]));
console.log(await Promise.all([withdrawWhatIsThere('bob', 30), withdrawWhatIsThere('bob', 20)]));
