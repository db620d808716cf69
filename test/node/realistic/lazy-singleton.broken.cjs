// because: duplicate-work stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The database is kept, and everybody who comes early opens one.
let db = null;
let opened = 0;
const open = async () => {
  await turn();
  opened++;
  return { query: () => opened };
};
async function handler() {
  if (db === null) db = await open();
  return db.query();
}
module.exports = Promise.all([handler(), handler()]);
