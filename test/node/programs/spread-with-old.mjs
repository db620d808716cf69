// expect: violation Store.increment
class Store {
  state = { count: 0, name: 'x' };

  async increment() {
    const { count } = this.state; // (1)
    const next = count + 1;
    await null;
    this.state = { ...this.state, count: next }; // (2)
  }

  async load() {
    const { name } = this.state;
    const found = await name.toUpperCase();
    this.state = { ...this.state, found };
  }
}

const store = new Store();
await Promise.all([store.increment(), store.load(), store.increment()]);
console.log(store.state);
