// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The same without the chain.
const account = { balance: 100 };
const withdraw = async (amount) => {
  const { balance } = account;
  if (balance < amount) return false;
  await turn();
  account.balance = balance - amount;
  return true;
};
module.exports = Promise.all([withdraw(70), withdraw(70)]);
