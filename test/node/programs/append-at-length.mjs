// expect: warning append
const list = [];

async function append(item) {
  const at = list.length;
  await null;
  list[at] = item;
}

await Promise.all([append('a'), append('b')]);
console.log(list);
