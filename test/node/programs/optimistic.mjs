// expect: ok
const cell = { value: 0, version: 0 };

async function compute(value) {
  await new Promise(setImmediate);
  return value + 1;
}

async function increment() {
  for (;;) {
    const { value, version } = cell;
    const next = await compute(value);
    if (cell.version !== version) continue;
    cell.value = next;
    cell.version = version + 1;
    return;
  }
}

await Promise.all([increment(), increment(), increment()]);
console.log(cell);
