// Three calls of one cached method before the first of them is done.
import { setTimeout as sleep } from 'node:timers/promises';

const { Cacheable } = (await import(`type-cacheable-${process.argv[2]}`)).default;
const kept = new Map();
const client = {
  get: async (key) => kept.get(key),
  set: async (key, value) => void kept.set(key, value),
  getClientTTL: () => 0,
};
let found = 0;
class Users {
  async find(id) {
    found++;
    await sleep(3);
    return { id };
  }
}
const { prototype } = Users;
const descriptor = Object.getOwnPropertyDescriptor(prototype, 'find');
const cached = Cacheable({ cacheKey: 'user', client })(prototype, 'find', descriptor) ?? descriptor;
Object.defineProperty(prototype, 'find', cached);
const users = new Users();
await Promise.all([users.find(1), users.find(1), users.find(1)]);
console.log(`found ${found} times`);
