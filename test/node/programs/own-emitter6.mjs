// expect: ok
import { EventEmitter } from 'node:events';

const bus = new EventEmitter();
setInterval(() => bus.emit('price', Math.random()), 1).unref(); // a feed that was there before
async function waitForTick() {
  let price = null;
  const listener = (p) => {
    price = p;
  };
  bus.on('price', listener);
  while (price === null) await new Promise((r) => setTimeout(r, 1));
  bus.off('price', listener);
  return price !== null;
}
console.log((await Promise.all([waitForTick(), waitForTick()])).join());
