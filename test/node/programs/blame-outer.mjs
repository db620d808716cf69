// expect: violation order
const stock = { apples: 1 };

async function isAvailable(item) {
  await null;
  return stock[item] > 0; // (1)
}

async function take(item) {
  await null;
  stock[item]--; // (2)
}

async function order(item) {
  if (!(await isAvailable(item))) return false;
  await take(item);
  return true;
}

console.log(await Promise.all([order('apples'), order('apples')]), stock);
