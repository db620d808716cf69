// expect: violation reserve
const stock = { apples: 5 };

async function reserve(item, count) {
  const left = stock[item]; // (1)
  await null;
  stock[item] = left - count; // (2)
}

async function checkout(basket) {
  for (const [item, count] of basket) await reserve(item, count);
  return 'done';
}

console.log(await Promise.all([checkout([['apples', 1]]), checkout([['apples', 2]])]), stock);
