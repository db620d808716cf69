// expect: violation buy
// That all have waited for the same promise does not make up for what each has worked out for itself.
let stock = 5;
const ready = new Promise((resolve) => setImmediate(resolve));

async function buy() {
  // (1)
  const left = stock;
  await ready;
  // (2)
  stock = left - 1;
}
await Promise.all([buy(), buy()]);
console.log(stock);
