// Rooms of a chat, with so many seats each.
import { KeyedMutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

const rooms = new Map(['lobby', 'games'].map((name) => [name, { people: new Set(), isClosed: false }]));
const mutex = new KeyedMutex();

async function enter(name, person) {
  const room = rooms.get(name);
  if (room.isClosed || room.people.size >= 3) return false;
  await announce(`${person} joins`);
  room.people.add(person);
  return true;
}

async function close(name) {
  const room = rooms.get(name);
  if (room.people.size > 1) return;
  await announce(`${name} closes`);
  room.isClosed = true;
  room.people.clear();
}

async function announce(_text) {
  await pause(2);
}

function join(name, person) {
  return mutex.run(name, () => enter(name, person)); // lock: join -> return enter(name, person);
}

function tidyUp(name) {
  return mutex.run(name, () => close(name)); // lock: tidy up -> return close(name);
}

await traffic(1200, [
  () => join('lobby', 'ann'),
  () => join('lobby', 'bob'),
  () => join('lobby', 'cid'),
  () => join('lobby', 'dan'),
  () => join('games', 'eve'),
  () => join('games', 'fay'),
  () => tidyUp('games'),
  () => tidyUp('lobby'),
]);
console.log([...rooms.values()].map(({ people, isClosed }) => !isClosed && people.size <= 3));
