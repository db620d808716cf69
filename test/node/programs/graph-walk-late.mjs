// expect: violation crawl
const links = { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] };
const visited = new Set();
const order = [];

async function fetchLinks(page) {
  await null;
  return links[page];
}

async function crawl(page) {
  if (visited.has(page)) return; // (1)
  const found = await fetchLinks(page);
  visited.add(page); // (2)
  order.push(page);
  await Promise.all(found.map((next) => crawl(next)));
}

await crawl('a');
console.log(order);
