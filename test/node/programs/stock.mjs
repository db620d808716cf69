// expect: violation buy
import { setImmediate as turn } from 'node:timers/promises';

let stock = 1;

async function pay() {
  await turn();
}

async function buy(customer) {
  // (1)
  if (stock > 0) {
    await pay();
    stock--; // (2)
    return `${customer} has it`;
  }
  return `${customer} came too late`;
}

console.log(await Promise.all([buy('ann'), buy('bob')]), stock);
