const turn = () => new Promise((resolve) => setImmediate(resolve));
// Who finds no leader becomes it at once.
const cluster = { leader: null, term: 0 };
const heartbeat = async () => {
  await turn();
};
async function campaign(node) {
  if (cluster.leader !== null) return cluster.leader;
  cluster.leader = node;
  cluster.term++;
  await heartbeat();
  return cluster.leader;
}
module.exports = Promise.all([campaign('n1'), campaign('n2')]);
