const turn = () => new Promise((resolve) => setImmediate(resolve));
// The promise is kept, so that there is one database.
let opening = null;
let opened = 0;
const open = async () => {
  await turn();
  opened++;
  return { query: () => opened };
};
const database = () => (opening ??= open());
async function handler() {
  const db = await database();
  return db.query();
}
module.exports = Promise.all([handler(), handler()]);
