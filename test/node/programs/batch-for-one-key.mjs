// expect: violation raise
// All who ask for the same key get the same promise; the first of them has started the timer that answers them.
class Prices {
  #table = new Map([['pen', 10]]);
  #asked = new Map();
  #timer = null;

  ask(name) {
    let asked = this.#asked.get(name);
    if (asked === undefined) {
      asked = {};
      asked.promise = new Promise((resolve) => {
        asked.resolve = resolve;
      });
      this.#asked.set(name, asked);
    }
    this.#timer ??= setTimeout(() => this.#answer(), 1);
    return asked.promise;
  }

  async #answer() {
    this.#timer = null;
    const batch = [...this.#asked];
    this.#asked.clear();
    await new Promise((resolve) => setImmediate(resolve));
    for (const [name, { resolve }] of batch) resolve(this.#table.get(name));
  }

  set(name, value) {
    this.#table.set(name, value);
  }

  get(name) {
    return this.#table.get(name);
  }
}

const prices = new Prices();

async function raise(name, by) {
  const price = await prices.ask(name);
  await null;
  prices.set(name, price + by);
}

async function raiseIfSame(name, by) {
  const price = await prices.ask(name);
  await null;
  if (price === prices.get(name)) prices.set(name, price + by);
}

await Promise.all([raise('pen', 1), raise('pen', 2)]);
await Promise.all([raiseIfSame('pen', 1), raiseIfSame('pen', 2)]);
console.log(prices.get('pen'));
