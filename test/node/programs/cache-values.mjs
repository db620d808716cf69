// expect: violation findUser
import { setTimeout as sleep } from 'node:timers/promises';

const cache = new Map();
let loads = 0;

async function load(id) {
  loads++;
  await sleep(2);
  return { id };
}

async function findUser(id) {
  // (1)
  if (!cache.has(id)) {
    cache.set(id, await load(id)); // (2)
  }
  return cache.get(id);
}

await Promise.all([findUser('u1'), findUser('u1'), findUser('u2')]);
console.log(loads);
