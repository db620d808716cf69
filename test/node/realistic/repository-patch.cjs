const turn = () => new Promise((resolve) => setImmediate(resolve));
// The store itself adds.
const rows = new Map([[1, { stock: 5 }]]);
const adjust = async (id, by) => {
  await turn();
  const row = rows.get(id);
  row.stock += by;
};
async function buy() {
  await adjust(1, -1);
}
module.exports = Promise.all([buy(), buy(), buy()]).then(() => rows.get(1).stock);
