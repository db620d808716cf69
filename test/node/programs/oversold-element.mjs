// expect: violation buy
const stock = { ticket: 1 };

async function buy(item) {
  if (stock[item] === 0) return false; // (1)
  await new Promise(setImmediate);
  stock[item] = stock[item] - 1; // (2)
  return true;
}

console.log(await Promise.all([buy('ticket'), buy('ticket')]), stock.ticket);
