// expect: ok
// Jobs are taken out while one that is to be added waits; that makes room.
const turn = () => new Promise((resolve) => setImmediate(resolve));
const queue = { waiting: 2 };

async function add(most) {
  if (queue.waiting >= most) return false;
  await turn();
  await turn();
  if (queue.waiting++ === 0) console.log('not empty any more');
  return true;
}

async function done() {
  await turn();
  if (--queue.waiting === 0) console.log('empty');
}

console.log(await Promise.all([add(3), done()]), queue.waiting);
