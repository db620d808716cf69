// expect: ok
const list = [];

async function append(item) {
  await null;
  list.push(item);
}

await Promise.all([append('a'), append('b')]);
console.log(list);
