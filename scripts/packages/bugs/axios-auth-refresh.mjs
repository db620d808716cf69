// Three requests at once, all of which find that the token is not valid any more.
import { setTimeout as sleep } from 'node:timers/promises';

const axios = (await import('axios')).default;
const lib = (await import(`axios-auth-refresh-${process.argv[2]}`)).default;
const createAuthRefreshInterceptor = lib.default ?? lib;
let token = 'old',
  refreshed = 0;
const client = axios.create({
  adapter: async (config) => {
    await sleep(1);
    const ok = config.headers.Authorization === 'new';
    const response = { config, data: '', status: ok ? 200 : 401, headers: {}, statusText: '', request: {} };
    if (ok) return response;
    throw Object.assign(new Error('401'), { response, config, isAxiosError: true });
  },
});
client.interceptors.request.use((config) => {
  config.headers.Authorization = token;
  return config;
});
createAuthRefreshInterceptor(client, async (failed) => {
  refreshed++;
  await sleep(5);
  token = 'new';
  failed.response.config.headers.Authorization = token;
});
await Promise.all([client.get('/a'), client.get('/b'), client.get('/c')]);
console.log(`refreshed ${refreshed} times`);
