const turn = () => new Promise((resolve) => setImmediate(resolve));
// A place in the window is taken where it is found.
const windows = new Map();
const check = async () => {
  await turn();
};
async function allow(user) {
  const used = windows.get(user) ?? 0;
  if (used >= 2) return false;
  windows.set(user, used + 1);
  await check();
  return true;
}
module.exports = Promise.all([allow('a'), allow('a'), allow('a'), allow('b')]);
