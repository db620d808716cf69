// expect: ok
class Cart {
  total = 0;

  async add(item) {
    const price = await this.price(item);
    this.total += price;
  }

  async price(item) {
    await null;
    return item.length;
  }
}

const cart = new Cart();
await Promise.all(['apple', 'pear', 'fig'].map((item) => cart.add(item)));
console.log(cart.total);
