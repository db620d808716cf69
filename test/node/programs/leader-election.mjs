// expect: violation elect
const cluster = { leader: null, term: 0 };

async function vote(name) {
  await null;
  return name.length > 0;
}

async function elect(name) {
  if (cluster.leader !== null) return false; // (1)
  if (!(await vote(name))) return false;
  cluster.leader = name; // (2)
  cluster.term++;
  return true;
}

console.log(await Promise.all([elect('ann'), elect('bob')]), cluster);
