// expect: ok
class Loader {
  #batch = null;
  #cache = new Map();

  constructor(fetchAll) {
    this.fetchAll = fetchAll;
  }

  load(key) {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const promise = new Promise((resolve, reject) => {
      if (this.#batch === null) {
        this.#batch = [];
        queueMicrotask(() => this.#dispatch());
      }
      this.#batch.push({ key, resolve, reject });
    });
    this.#cache.set(key, promise);
    return promise;
  }

  async #dispatch() {
    const batch = this.#batch;
    this.#batch = null;
    try {
      const values = await this.fetchAll(batch.map(({ key }) => key));
      for (const [i, { resolve }] of batch.entries()) resolve(values[i]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

let fetches = 0;
const loader = new Loader(async (keys) => {
  fetches++;
  await new Promise(setImmediate);
  return keys.map((key) => key.toUpperCase());
});

async function page(...keys) {
  const values = [];
  for (const key of keys) values.push(await loader.load(key));
  return values.join('');
}

console.log(await Promise.all([page('a', 'b'), page('b', 'c'), page('a', 'c')]), fetches);
