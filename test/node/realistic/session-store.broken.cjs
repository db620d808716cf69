// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The session is read before the price is asked for.
const sessions = new Map([['s', { cart: [] }]]);
const price = async (item) => {
  await turn();
  return { item, price: 1 };
};
async function addToCart(id, item) {
  const session = sessions.get(id);
  const priced = await price(item);
  sessions.set(id, { ...session, cart: [...session.cart, priced] });
}
module.exports = Promise.all([addToCart('s', 'a'), addToCart('s', 'b')]);
