// Carts that are changed by events, as a browser sends them.
import { EventEmitter } from 'node:events';
import { JobQueue } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

const prices = { book: 10, lamp: 30, chair: 50 };
const cart = { articles: [], total: 0, discount: 0 };
const events = new EventEmitter();
const queue = new JobQueue();

async function priceOf(article) {
  await pause(2);
  return prices[article];
}

async function add(article) {
  const total = cart.total;
  const price = await priceOf(article);
  cart.articles.push(article);
  cart.total = total + price;
}

async function redeem(percent) {
  const { total } = cart;
  await pause(2); // Is the voucher good?
  cart.discount = percent;
  cart.total = total - (total * percent) / 100;
}

events.on('add', async (article, done) => {
  await queue.add(() => add(article)); // lock: add -> await add(article);
  done();
});
events.on('redeem', async (percent, done) => {
  await queue.add(() => redeem(percent)); // lock: redeem -> await redeem(percent);
  done();
});

const send = (name, value) => () => new Promise((done) => events.emit(name, value, done));
await traffic(1200, [
  send('add', 'book'),
  send('add', 'lamp'),
  send('add', 'book'),
  send('add', 'chair'),
  send('redeem', 10),
  send('add', 'lamp'),
]);
console.log(cart.articles.length, 'articles');
