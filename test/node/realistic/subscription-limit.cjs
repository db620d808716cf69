const turn = () => new Promise((resolve) => setImmediate(resolve));
// The list is looked at again right before somebody is added.
const members = [];
const invite = async (name) => {
  await turn();
  return name;
};
async function join(name) {
  if (members.length >= 1) return false;
  const invited = await invite(name);
  if (members.length >= 1) return false;
  members.push(invited);
  return true;
}
module.exports = Promise.all([join('ann'), join('bob')]);
