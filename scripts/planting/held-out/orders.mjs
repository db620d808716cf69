// Orders through p-queue with a concurrency of one.
import PQueue from 'p-queue';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class OrderBook {
  #orders = [];
  #stock = { tea: 5, coffee: 5 };
  #revenue = 0;
  #queue = new PQueue({ concurrency: 1 });

  async #price(item) {
    await wait(3);
    return item === 'tea' ? 2 : 3;
  }

  async #place(item, count) {
    if (this.#stock[item] < count) throw new RangeError('sold out');
    const price = await this.#price(item);
    this.#stock[item] -= count;
    this.#revenue += price * count;
    this.#orders.push({ item, count, open: true });
    return this.#orders.length - 1;
  }

  async #cancel(id) {
    const order = this.#orders[id];
    if (!order?.open) return;
    const price = await this.#price(order.item);
    order.open = false;
    this.#stock[order.item] += order.count;
    this.#revenue -= price * order.count;
  }

  async #total() {
    let sum = 0;
    for (const order of this.#orders.filter((each) => each.open))
      sum += order.count * (await this.#price(order.item));
    return sum === this.#revenue;
  }

  place(item, count) {
    return this.#queue.add(() => this.#place(item, count)); // lock: place -> return this.#place(item, count);
  }

  cancel(id) {
    return this.#queue.add(() => this.#cancel(id)); // lock: cancel -> return this.#cancel(id);
  }

  isBalanced() {
    return this.#queue.add(() => this.#total()); // lock: total -> return this.#total();
  }
}

const book = new OrderBook();
const client = async (name, start) => {
  await wait(start);
  try {
    const id = await book.place(name, 1);
    await wait(20);
    await book.cancel(id);
    await wait(20);
    await book.place(name, 2);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
};
const audit = async () => {
  for (let i = 0; i < 4; i++) {
    await wait(70);
    await book.isBalanced();
  }
};
await Promise.all([
  client('tea', 0),
  client('tea', 35),
  client('coffee', 80),
  client('coffee', 150),
  client('tea', 210),
  audit(),
]);
console.log('closed');
