// expect: ok
const links = { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] };
const visited = new Set();
const order = [];

async function fetchLinks(page) {
  await new Promise(setImmediate);
  return links[page];
}

async function crawl(page) {
  if (visited.has(page)) return;
  visited.add(page);
  order.push(page);
  const found = await fetchLinks(page);
  await Promise.all(found.map((next) => crawl(next)));
}

await crawl('a');
console.log(order);
