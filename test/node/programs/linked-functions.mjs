// expect: violation sell
// Both blocks read and write by functions of another file; what `restock` writes has nothing to do with what it has read.
import * as shop from './lib/shop.mjs';

async function sell(name, count) {
  const left = shop.getStock(name);
  await null;
  shop.setStock(name, left - count);
}

async function restock(name) {
  console.log(`${name}: ${shop.getStock(name)}`);
  const delivered = await order();
  shop.setStock(name, delivered);
}

async function order() {
  await null;
  return 20;
}

await Promise.all([sell('apples', 1), sell('apples', 2)]);
await Promise.all([restock('pears'), restock('pears')]);
console.log(shop.getStock('apples'), shop.getStock('pears'));
