import http from 'node:http';
import axios from 'axios';

const server = http
  .createServer((q, s) => {
    if (q.url === '/401' && q.headers.authorization !== 'new') {
      s.statusCode = 401;
      return s.end();
    }
    setTimeout(() => s.end(JSON.stringify({ url: q.url, auth: q.headers.authorization })), 2);
  })
  .listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const api = axios.create({ baseURL: `http://localhost:${server.address().port}` });
let token = 'old';
let refreshing = null;
let refreshed = 0;
api.interceptors.request.use((config) => {
  config.headers.authorization = token;
  return config;
});
api.interceptors.response.use(undefined, async (error) => {
  if (error.response?.status !== 401) throw error;
  refreshing ??= new Promise((resolve) =>
    setTimeout(() => {
      refreshed++;
      token = 'new';
      refreshing = null;
      resolve();
    }, 3),
  );
  await refreshing;
  return api(error.config);
});
console.log((await Promise.all([1, 2, 3].map((n) => api.get(`/${n}`)))).map(({ data }) => data.url));
console.log(
  (await Promise.all([1, 2, 3].map(() => api.get('/401')))).map(({ data }) => data.auth),
  refreshed,
);
await api.get('/x', { signal: AbortSignal.abort() }).catch((error) => console.log(error.code));
server.close();
server.closeAllConnections();
