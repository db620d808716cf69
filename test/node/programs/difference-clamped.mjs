// expect: violation buy
let stock = 1;

async function buy() {
  if (stock <= 0) return false; // (1)
  await null;
  stock = Math.max(0, stock - 1); // (2)
  return true;
}

console.log(await Promise.all([buy(), buy()]), stock);
