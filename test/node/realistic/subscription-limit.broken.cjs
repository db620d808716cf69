// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The list is looked at before the invitation only.
const members = [];
const invite = async (name) => {
  await turn();
  return name;
};
async function join(name) {
  if (members.length >= 1) return false;
  const invited = await invite(name);
  members.push(invited);
  return true;
}
module.exports = Promise.all([join('ann'), join('bob')]);
