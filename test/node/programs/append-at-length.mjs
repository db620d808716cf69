// expect: violation append
const list = [];

async function append(item) {
  const at = list.length; // (1)
  await null;
  list[at] = item; // (2)
}

await Promise.all([append('a'), append('b')]);
console.log(list);
