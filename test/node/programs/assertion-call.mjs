// expect: violation claim
const names = [];

async function assertFree(name) {
  await null;
  if (names.includes(name)) throw new Error('taken'); // (1)
}

async function claim(name) {
  await assertFree(name);
  await null;
  names.push(name); // (2)
}

await Promise.all([claim('ann'), claim('ann')]);
console.log(names);
