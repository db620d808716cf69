// expect: violation buy
const shop = { stock: 1, paid: 0 };

async function pay() {
  await null;
  shop.paid++;
}

async function take() {
  await null;
  shop.stock--; // (2)
}

async function buy() {
  if (shop.stock <= 0) return false; // (1)
  await Promise.all([pay(), take()]);
  return true;
}

console.log(await Promise.all([buy(), buy()]), shop);
