// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The check is before the payment, the change behind it.
const stock = new Map([['tv', 1]]);
const pay = async () => {
  await turn();
};
async function buy() {
  const left = stock.get('tv');
  if (left === 0) return 'sold out';
  await pay();
  stock.set('tv', left - 1);
  return 'yours';
}
module.exports = Promise.all([buy(), buy()]);
