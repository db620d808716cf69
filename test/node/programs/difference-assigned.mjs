// expect: violation buy
const shop = { stock: 1 };

async function buy() {
  if (shop.stock <= 0) return false; // (1)
  await null;
  shop.stock = shop.stock - 1; // (2)
  return true;
}

console.log(await Promise.all([buy(), buy()]), shop.stock);
