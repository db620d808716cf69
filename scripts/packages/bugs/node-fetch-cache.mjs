// Three requests of one page at the same time.
import { createServer } from 'node:http';

let asked = 0;
const server = createServer((_, response) => {
  asked++;
  setTimeout(() => response.end('page'), 20);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const found = await import(`node-fetch-cache-${process.argv[2]}`);
const { MemoryCache, fetchBuilder } = { ...found.default, ...found };
const builder = fetchBuilder ?? found.default;
const fetch = builder.withCache(new MemoryCache({}));
const url = `http://127.0.0.1:${server.address().port}/`;
await Promise.all([1, 2, 3].map(async () => (await fetch(url)).text()));
console.log(`asked ${asked} times`);
server.close();
