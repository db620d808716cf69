const turn = () => new Promise((resolve) => setImmediate(resolve));
// The last one is taken before anything is waited for, and given back if payment fails.
const stock = new Map([['tv', 1]]);
const pay = async (who) => {
  await turn();
  if (who === 'bob') throw new Error('declined');
};
async function buy(who) {
  const left = stock.get('tv');
  if (left === 0) return 'sold out';
  stock.set('tv', left - 1);
  try {
    await pay(who);
    return 'yours';
  } catch {
    stock.set('tv', stock.get('tv') + 1);
    return 'declined';
  }
}
module.exports = Promise.all([buy('bob'), buy('ann')]);
