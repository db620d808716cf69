// Retries, hooks, pagination, streams, caching of one URL, against a local server.
import http from 'node:http';
import got from 'got';

let failures = 0;
const server = http
  .createServer((q, s) => {
    if (q.url.startsWith('/flaky') && failures++ < 2) {
      s.statusCode = 503;
      s.setHeader('retry-after', '0');
      return s.end();
    }
    if (q.url.startsWith('/page')) {
      const n = Number(q.url.slice(5));
      if (n < 3) s.setHeader('link', `</page${n + 1}>; rel="next"`);
      return s.end(JSON.stringify([n]));
    }
    s.setHeader('cache-control', 'max-age=60');
    setTimeout(() => s.end(JSON.stringify({ url: q.url })), 2);
  })
  .listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const client = got.extend({
  prefixUrl: `http://localhost:${server.address().port}`,
  responseType: 'json',
  hooks: {
    beforeRequest: [
      (options) => {
        options.headers['x-a'] = '1';
      },
    ],
  },
});
console.log(await Promise.all([1, 2, 3, 4].map((n) => client(`n${n}`).json())));
console.log(
  (await client('flaky', { retry: { limit: 3, calculateDelay: ({ computedValue }) => computedValue && 1 } }))
    .statusCode,
  failures,
);
console.log(await client.paginate.all('page1'));
const cache = new Map();
const all = await Promise.all([1, 2, 3].map(() => client('c', { cache })));
console.log(
  all.map(({ body }) => body.url),
  (await client('c', { cache })).isFromCache,
);
await client('n', { signal: AbortSignal.abort() }).catch((error) => console.log(error.name));
server.close();
server.closeAllConnections();
