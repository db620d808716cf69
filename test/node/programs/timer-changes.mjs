// expect: violation buy
let stock = 1;

async function buy() {
  if (stock <= 0) return false; // (1)
  await new Promise((resolve) => {
    setTimeout(() => {
      stock--; // (2)
      resolve();
    });
  });
  return true;
}

console.log(await Promise.all([buy(), buy()]), stock);
