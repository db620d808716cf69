// expect: ok
import { setImmediate as turn } from 'node:timers/promises';

let stock = 1;

async function pay(customer) {
  await turn();
  if (customer === 'eve') throw new Error('no money');
}

async function buy(customer) {
  if (stock === 0) return `${customer} came too late`;
  stock--;
  try {
    await pay(customer);
  } catch (error) {
    stock++;
    return `${customer}: ${error.message}`;
  }
  return `${customer} has it`;
}

console.log(await Promise.all([buy('eve'), buy('ann'), buy('bob')]), stock);
