const turn = () => new Promise((resolve) => setImmediate(resolve));
// A chain of promises: one after the other.
let last = Promise.resolve();
const inTurn = (work) => {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
};
const account = { balance: 100 };
const withdraw = (amount) =>
  inTurn(async () => {
    const { balance } = account;
    if (balance < amount) return false;
    await turn();
    account.balance = balance - amount;
    return true;
  });
module.exports = Promise.all([withdraw(70), withdraw(70)]);
