// Settings of users, a file for each.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyedMutex } from '../locks.mjs';
import { temporaryFolder, traffic } from '../traffic.mjs';

const folder = temporaryFolder();
const mutex = new KeyedMutex();

const fileOf = (user) => join(folder, `${user}.json`);

async function load(user) {
  return JSON.parse(await readFile(fileOf(user), 'utf8'));
}

async function save(user, settings) {
  await writeFile(fileOf(user), JSON.stringify(settings));
}

async function set(user, key, value) {
  const settings = await load(user);
  await save(user, { ...settings, [key]: value });
}

async function reset(user) {
  const { resets } = await load(user);
  await save(user, { resets: resets + 1 });
}

function update(user, key, value) {
  return mutex.run(user, () => set(user, key, value)); // lock: update -> return set(user, key, value);
}

function startOver(user) {
  return mutex.run(user, () => reset(user)); // lock: start over -> return reset(user);
}

for (const user of ['ann', 'bob']) await save(user, { resets: 0 });
await traffic(1200, [
  () => update('ann', 'language', 'no'),
  () => update('ann', 'colour', 'dark'),
  () => update('ann', 'size', 12),
  () => update('bob', 'language', 'it'),
  () => update('bob', 'colour', 'light'),
  () => startOver('ann'),
  () => startOver('bob'),
]);
console.log(await load('ann'), await load('bob'));
