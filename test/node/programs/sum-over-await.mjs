// expect: violation Cart.add
class Cart {
  total = 0;

  async add(item) {
    this.total += await this.price(item); // (1) (2)
  }

  async price(item) {
    await null;
    return item.length;
  }
}

const cart = new Cart();
await Promise.all(['apple', 'pear', 'fig'].map((item) => cart.add(item)));
console.log(cart.total);
