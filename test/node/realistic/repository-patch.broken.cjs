// because: stale-act
const _turn = () => new Promise((resolve) => setImmediate(resolve));
// Find, compute, update by a patch.
const rows = new Map([[1, { stock: 5, name: 'tv' }]]);
const find = async (id) => ({ ...rows.get(id) });
const update = async (id, patch) => {
  await null;
  rows.set(id, { ...rows.get(id), ...patch });
};
async function buy() {
  const row = await find(1);
  await update(1, { stock: row.stock - 1 });
}
module.exports = Promise.all([buy(), buy(), buy()]).then(() => rows.get(1).stock);
