// expect: violation Store.increment
const __awaiter = (self, values, P, generator) =>
  new (P ?? Promise)((resolve, reject) => {
    const running = generator.apply(self, values ?? []);
    const step = (result) => {
      if (result.done) resolve(result.value);
      else Promise.resolve(result.value).then(fulfilled, rejected);
    };
    const attempt = (next) => {
      try {
        step(next());
      } catch (error) {
        reject(error);
      }
    };
    const fulfilled = (value) => attempt(() => running.next(value));
    const rejected = (error) => attempt(() => running.throw(error));
    fulfilled();
  });

class Store {
  constructor() {
    this.values = new Map();
  }
  get(key) {
    return __awaiter(this, undefined, undefined, function* () {
      yield null;
      return this.values.get(key); // (1)
    });
  }
  increment(key) {
    return __awaiter(this, undefined, undefined, function* () {
      const value = (yield this.get(key)) || 0;
      yield null;
      this.values.set(key, value + 1); // (2)
    });
  }
}

const store = new Store();
Promise.all([store.increment('a'), store.increment('a')]).then(() => console.log(store.values));
