// expect: violation add
const turn = () => new Promise((resolve) => setImmediate(resolve));
const queue = { waiting: 2 };

async function add(most) {
  if (queue.waiting >= most) return false; // (1)
  await turn();
  if (queue.waiting++ === 0) console.log('not empty any more'); // (2)
  return true;
}

async function done() {
  if (--queue.waiting === 0) console.log('empty');
}

console.log(await Promise.all([add(3), add(3), done()]), queue.waiting);
