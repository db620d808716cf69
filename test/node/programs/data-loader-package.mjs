// expect: violation withdraw
// expect: violation order
// What the function of a DataLoader reads belongs to those whose keys it loads.
import DataLoader from 'dataloader';

const balances = new Map([['ann', 100]]);
const accounts = new DataLoader(async (ids) => {
  await null;
  return ids.map((id) => balances.get(id));
});

async function withdraw(id, amount) {
  const balance = await accounts.load(id);
  if (balance < amount) return false;
  await null;
  balances.set(id, balance - amount);
  accounts.clear(id);
  return true;
}

const stock = { pen: 3, ink: 5 };
const goods = new DataLoader((names) => Promise.resolve(names.map((name) => stock[name])), { cache: false });

async function order(...names) {
  const left = await goods.loadMany(names);
  if (left.some((count) => count < 2)) throw new Error('sold out');
  await null;
  for (const [i, name] of names.entries()) stock[name] = left[i] - 2;
}

console.log(await Promise.all([withdraw('ann', 70), withdraw('ann', 70)]), balances);
await Promise.all([order('pen', 'ink'), order('ink', 'pen')]);
console.log(stock);
