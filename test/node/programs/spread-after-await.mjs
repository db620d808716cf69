// expect: ok
const store = { items: [] };

async function fetchItem(id) {
  await null;
  return { id };
}

async function add(id) {
  const item = await fetchItem(id);
  store.items = [...store.items, item];
}

await Promise.all([add(1), add(2)]);
console.log(store);
