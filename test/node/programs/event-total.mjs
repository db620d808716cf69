// expect: violation add
import { EventEmitter } from 'node:events';

class Basket extends EventEmitter {
  total = 0;

  constructor(prices) {
    super();
    this.on('add', (item) => add(this, prices, item));
  }
}

async function add(basket, prices, item) {
  const total = basket.total; // (1)
  const price = await prices(item);
  basket.total = total + price; // (2)
  basket.emit('added', item);
}

const basket = new Basket(async (item) => item.length);
let added = 0;
basket.on('added', () => {
  if (++added === 2) console.log(basket.total);
});
basket.emit('add', 'fig');
basket.emit('add', 'apple');
