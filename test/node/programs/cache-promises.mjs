// expect: ok
import { setTimeout as sleep } from 'node:timers/promises';

const cache = new Map();
let loads = 0;

async function load(id) {
  loads++;
  await sleep(2);
  return { id };
}

function findUser(id) {
  let user = cache.get(id);
  if (user === undefined) {
    user = load(id);
    cache.set(id, user);
    user.catch(() => cache.delete(id));
  }
  return user;
}

async function page(id) {
  const user = await findUser(id);
  return `page of ${user.id}`;
}

console.log(await Promise.all([page('u1'), page('u1'), page('u2')]), loads);
