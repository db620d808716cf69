// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The balance is worked out before the audit.
const accounts = new Map([
  ['a', { balance: 100 }],
  ['b', { balance: 0 }],
  ['c', { balance: 0 }],
]);
const audit = async () => {
  await turn();
};
async function transfer(from, to, amount) {
  const source = accounts.get(from);
  const left = source.balance - amount;
  if (left < 0) return false;
  await audit();
  source.balance = left;
  accounts.get(to).balance += amount;
  return true;
}
module.exports = Promise.all([transfer('a', 'b', 70), transfer('a', 'c', 70)]);
