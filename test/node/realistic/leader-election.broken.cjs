// because: stale-act duplicate-work
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Votes are asked for between the look and the act.
const cluster = { leader: null };
const votes = async () => {
  await turn();
  return true;
};
async function campaign(node) {
  if (cluster.leader !== null) return cluster.leader;
  if (await votes()) cluster.leader = node;
  return cluster.leader;
}
module.exports = Promise.all([campaign('n1'), campaign('n2')]);
