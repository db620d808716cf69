const turn = () => new Promise((resolve) => setImmediate(resolve));
// Both balances are changed in one step, behind the audit.
const accounts = new Map([
  ['a', { balance: 100 }],
  ['b', { balance: 0 }],
  ['c', { balance: 0 }],
]);
const audit = async () => {
  await turn();
};
async function transfer(from, to, amount) {
  await audit();
  const source = accounts.get(from);
  if (source.balance < amount) return false;
  source.balance -= amount;
  accounts.get(to).balance += amount;
  return true;
}
module.exports = Promise.all([transfer('a', 'b', 70), transfer('a', 'c', 70)]);
