// Profiles in a slow store, with a cache in front of it.
import { KeyedMutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

const store = new Map([
  ['ann', { name: 'Ann', visits: 0 }],
  ['bob', { name: 'Bob', visits: 0 }],
]);
const cache = new Map();
const mutex = new KeyedMutex();

async function load(id) {
  if (cache.has(id)) return cache.get(id);
  await pause(2);
  const profile = { ...store.get(id) };
  cache.set(id, profile);
  return profile;
}

async function put(id, name) {
  const { visits } = store.get(id);
  await pause(2);
  store.set(id, { name, visits: visits + 1 });
  cache.delete(id);
}

async function show(id) {
  const profile = await mutex.run(id, () => load(id)); // lock: show -> const profile = await load(id);
  return `Hello ${profile.name}`;
}

async function rename(id, name) {
  await mutex.run(id, () => put(id, name)); // lock: rename -> await put(id, name);
}

await traffic(1200, [
  () => show('ann'),
  () => show('ann'),
  () => show('bob'),
  () => rename('ann', 'Anna'),
  () => rename('ann', 'Anne'),
  () => rename('bob', 'Bobby'),
  () => show('bob'),
  () => show('ann'),
]);
console.log(await show('ann'), await show('bob'));
