// expect: violation Base.update
// expect: violation Derived.update
class Base {
  value = 0;

  async update(change) {
    const { value } = this; // (1)
    await null;
    this.value = value + change; // (2)
  }
}

class Derived extends Base {
  async update(change) {
    await super.update(change * 2);
    return this.value;
  }
}

const derived = new Derived();
console.log(await Promise.all([derived.update(1), derived.update(2)]));
