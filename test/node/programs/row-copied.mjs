// expect: violation buy
const rows = new Map([['tea', { quantity: 1 }]]);

async function get(name) {
  await null;
  return { ...rows.get(name) }; // (1)
}

async function take(name) {
  await null;
  rows.get(name).quantity -= 1; // (2)
}

async function buy(name) {
  const { quantity } = await get(name);
  if (quantity > 0) await take(name);
}

await Promise.all([buy('tea'), buy('tea')]);
console.log(rows);
