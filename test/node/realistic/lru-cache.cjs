const turn = () => new Promise((resolve) => setImmediate(resolve));
// Entries are moved to the end in one step.
class Lru {
  #entries = new Map();
  get(key) {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }
  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > 2) this.#entries.delete(this.#entries.keys().next().value);
  }
}
const lru = new Lru();
async function lookup(key) {
  const known = lru.get(key);
  if (known !== undefined) return known;
  const value = turn().then(() => key);
  lru.set(key, value);
  return value;
}
module.exports = Promise.all(['a', 'b', 'a', 'c', 'b'].map(lookup));
