// Three parts of an application re-authenticate at once.
import { setTimeout as sleep } from 'node:timers/promises';

const lib = (await import(`authentication-client-${process.argv[2]}`)).default;
const settings = new Map([['storage', undefined]]);
let asked = 0;
const app = {
  get: (k) => settings.get(k),
  set: (k, v) => {
    settings.set(k, v);
    return app;
  },
  emit() {},
  on() {},
  hooks() {},
  configure(fn) {
    fn.call(app, app);
    return app;
  },
  io: null,
  service: () => ({
    async create(_data) {
      asked++;
      await sleep(5);
      return { accessToken: `t${asked}`, user: {} };
    },
  }),
  mixins: [],
};
const storage = new lib.MemoryStorage();
const { AuthenticationClient } = lib;
const client = new AuthenticationClient(app, { ...lib.defaults, storage });
await storage.setItem(client.options.storageKey, 'old');
await Promise.all([client.reAuthenticate(), client.reAuthenticate(), client.reAuthenticate()]);
console.log(`asked ${asked} times`);
