const turn = () => new Promise((resolve) => setImmediate(resolve));
// The session is read right where it is changed.
const sessions = new Map([['s', { cart: [] }]]);
const price = async (item) => {
  await turn();
  return { item, price: 1 };
};
async function addToCart(id, item) {
  const priced = await price(item);
  const session = sessions.get(id);
  sessions.set(id, { ...session, cart: [...session.cart, priced] });
}
module.exports = Promise.all([addToCart('s', 'a'), addToCart('s', 'b')]);
