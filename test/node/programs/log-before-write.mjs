// expect: violation Counter.add
class Counter {
  value = 0;

  async add(n) {
    const before = this.value; // (1)
    await null;
    console.log(`adding ${n} to ${this.value}`);
    this.value = before + n; // (2)
  }
}

const counter = new Counter();
await Promise.all([counter.add(1), counter.add(1)]);
console.log(counter.value);
