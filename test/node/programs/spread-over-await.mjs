// expect: violation add
const store = { items: [] };

async function fetchItem(id) {
  await null;
  return { id };
}

async function add(id) {
  store.items = [...store.items, await fetchItem(id)]; // (1) (2)
}

await Promise.all([add(1), add(2)]);
console.log(store);
