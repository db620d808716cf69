// expect: ok
class Lru {
  #entries = new Map();

  constructor(limit) {
    this.limit = limit;
  }

  get(key) {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.limit) this.#entries.delete(this.#entries.keys().next().value);
  }

  get keys() {
    return [...this.#entries.keys()];
  }
}

const lru = new Lru(2);

async function page(key) {
  await null;
  lru.set(key, key.length);
}

await Promise.all(['a', 'bb', 'ccc'].map(page));
console.log(lru.keys, lru.get('bb'), lru.keys);
