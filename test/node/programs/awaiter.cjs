// expect: violation Store.increment
const __awaiter =
  (this && this.__awaiter) ||
  ((thisArg, _arguments, P, generator) => {
    function adopt(value) {
      return value instanceof P ? value : new P((resolve) => resolve(value));
    }
    return new (P || (P = Promise))((resolve, reject) => {
      function fulfilled(value) {
        try {
          step(generator.next(value));
        } catch (e) {
          reject(e);
        }
      }
      function rejected(value) {
        try {
          step(generator.throw(value));
        } catch (e) {
          reject(e);
        }
      }
      function step(result) {
        result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
      }
      generator = generator.apply(thisArg, _arguments || []);
      step(generator.next());
    });
  });

class Store {
  constructor() {
    this.values = new Map();
  }
  get(key) {
    return __awaiter(this, void 0, void 0, function* () {
      yield null;
      return this.values.get(key); // (1)
    });
  }
  increment(key) {
    return __awaiter(this, void 0, void 0, function* () {
      const value = (yield this.get(key)) || 0;
      yield null;
      this.values.set(key, value + 1); // (2)
    });
  }
}

const store = new Store();
Promise.all([store.increment('a'), store.increment('a')]).then(() => console.log(store.values));
