// expect: violation read
// Reading an expired entry starts a deletion that nobody waits for; what is written meanwhile is deleted with it.
const turn = () => new Promise((resolve) => setImmediate(resolve));
const entries = new Map([['a', { value: 1, expires: 0 }]]);

function get(key) {
  return Promise.resolve().then(() => entries.get(key)); // (1)
}

async function remove(key) {
  await turn();
  await turn();
  entries.delete(key); // (2)
}

async function read(key) {
  const entry = await get(key);
  if (entry.expires === 0) {
    remove(key);
    return undefined;
  }
  return entry.value;
}

await read('a');
await Promise.resolve().then(() => entries.set('a', { value: 2, expires: 1 }));
await turn();
await turn();
await turn();
console.log(entries.get('a'));
