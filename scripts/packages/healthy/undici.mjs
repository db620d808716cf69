// fetch, pool, pipelining and the cache interceptor against a local server.
import http from 'node:http';
import { Agent, cacheStores, fetch, interceptors, Pool, request } from 'undici';

let hits = 0;
const server = http
  .createServer((q, s) => {
    hits++;
    s.setHeader('cache-control', 'public, max-age=60');
    setTimeout(() => s.end(`${q.method} ${q.url}`), 2);
  })
  .listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://localhost:${server.address().port}`;
console.log(await Promise.all([1, 2, 3, 4].map(async (n) => (await fetch(`${origin}/${n}`)).text())));
const pool = new Pool(origin, { connections: 2, pipelining: 2 });
console.log(
  await Promise.all(
    [1, 2, 3, 4, 5].map(async (n) => {
      const { statusCode, body } = await pool.request({ path: `/p${n}`, method: 'GET' });
      return `${statusCode} ${await body.text()}`;
    }),
  ),
);
const cached = new Agent().compose(interceptors.cache({ store: new cacheStores.MemoryCacheStore() }));
const get = async (path) => await (await request(`${origin}${path}`, { dispatcher: cached })).body.text();
const before = hits;
console.log(await get('/cached'), await get('/cached'), await get('/cached'), hits - before);
console.log(await Promise.all(['/x', '/y', '/x', '/z', '/y'].map(get)));
await pool.close();
await cached.close();
server.close();
server.closeAllConnections();
