// expect: violation buy
const rows = new Map([[1, { id: 1, stock: 5, name: 'tv' }]]);
const find = async (id) => ({ ...rows.get(id) });
const update = async (id, patch) => {
  await null;
  rows.set(id, { ...rows.get(id), ...patch });
};
async function buy() {
  const row = await find(1);
  await update(1, { stock: row.stock - 1 });
}
await Promise.all([buy(), buy(), buy()]);
console.log(rows.get(1).stock); // 4 instead of 2
