// expect: ok
// Callers of one batch that load other keys, that look again, or that get what is kept.
import DataLoader from 'dataloader';

const balances = new Map([
  ['ann', 100],
  ['bob', 50],
  ['cid', 80],
]);
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

async function withdrawChecked(id, amount) {
  if ((await accounts.load(id)) < amount) return false;
  await null;
  accounts.clear(id);
  const balance = balances.get(id);
  if (balance < amount) return false;
  balances.set(id, balance - amount);
  return true;
}

const users = new Map([['ann', { name: 'Ann', seen: 0 }]]);
const people = new DataLoader(async (ids) => ids.map((id) => users.get(id)));

async function greet(id) {
  const user = await people.load(id);
  await null;
  user.seen++;
  return (await people.load(id)).name;
}

console.log(await Promise.all([withdraw('ann', 70), withdraw('bob', 20)]), balances);
console.log(await Promise.all([withdrawChecked('cid', 70), withdrawChecked('cid', 70)]), balances);
console.log(await Promise.all([greet('ann'), greet('ann')]), users);
