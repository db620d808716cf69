// expect: violation Cache.get
// An expired entry is deleted by a call that nobody awaits; what is put there meanwhile is deleted with it.
import { setImmediate as turn } from 'node:timers/promises';

class Entries {
  #entries = new Map();
  async get(key) {
    return this.#entries.get(key); // (1)
  }
  async set(key, entry) {
    this.#entries.set(key, entry);
  }
  async delete(key) {
    await turn();
    await turn();
    return this.#entries.delete(key); // (2)
  }
}

class Cache {
  constructor(store) {
    this.store = store;
  }
  get(key) {
    return Promise.resolve()
      .then(() => this.store.get(key))
      .then((entry) => {
        if (entry.isExpired) {
          this.delete(key);
          return undefined;
        }
        return entry.value;
      });
  }
  delete(key) {
    return Promise.resolve().then(() => this.store.delete(key));
  }
}

const store = new Entries();
const cache = new Cache(store);
await store.set('a', { isExpired: true, value: 'old' });
await cache.get('a');
await store.set('a', { isExpired: false, value: 'new' });
for (let i = 0; i < 4; i++) await turn();
console.log(await store.get('a'));
