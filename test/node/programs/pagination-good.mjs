// expect: ok
async function fetchPage(from) {
  await new Promise(setImmediate);
  return { items: [from, from + 1], next: from < 4 ? from + 2 : null };
}

async function* pages() {
  for (let cursor = 0; cursor !== null; ) {
    const { items, next } = await fetchPage(cursor);
    yield* items;
    cursor = next;
  }
}

async function collect() {
  const found = [];
  for await (const item of pages()) found.push(item);
  return found;
}

console.log(await Promise.all([collect(), collect()]));
