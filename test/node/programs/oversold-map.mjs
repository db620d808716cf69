// expect: violation buy
const stock = new Map([['ticket', 1]]);

async function buy(item) {
  if (stock.get(item) === 0) return false; // (1)
  await new Promise(setImmediate);
  stock.set(item, (stock.get(item) ?? 0) - 1); // (2)
  return true;
}

console.log(await Promise.all([buy('ticket'), buy('ticket')]), stock.get('ticket'));
