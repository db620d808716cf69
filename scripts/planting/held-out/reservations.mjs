// Rooms of a hotel, night by night; a lock for each room, made by a library of ten lines that everybody has somewhere.
const locks = new Map();

async function withLock(key, task) {
  while (locks.has(key)) await locks.get(key);
  let unlock;
  locks.set(
    key,
    new Promise((resolve) => {
      unlock = resolve;
    }),
  );
  try {
    return await task();
  } finally {
    locks.delete(key);
    unlock();
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const rooms = new Map([
  [101, new Map()],
  [102, new Map()],
]);

async function isFree(room, nights) {
  await sleep(3);
  return nights.every((night) => !rooms.get(room).has(night));
}

async function bookNow(room, guest, nights) {
  if (!(await isFree(room, nights))) return false;
  await sleep(3); // Mail is sent.
  for (const night of nights) rooms.get(room).set(night, guest);
  return true;
}

async function moveNow(guest, from, to, nights) {
  if (!(await isFree(to, nights))) return false;
  await sleep(2);
  for (const night of nights) {
    if (rooms.get(from).get(night) !== guest) continue;
    rooms.get(from).delete(night);
    rooms.get(to).set(night, guest);
  }
  return true;
}

async function book(room, guest, nights) {
  return withLock(room, () => bookNow(room, guest, nights)); // lock: book -> return bookNow(room, guest, nights);
}

async function move(guest, from, to, nights) {
  const [first, second] = from < to ? [from, to] : [to, from];
  return withLock(first, () => withLock(second, () => moveNow(guest, from, to, nights))); // lock: move -> return moveNow(guest, from, to, nights);
}

const guest = async (name, start, room, nights) => {
  await sleep(start);
  if (!(await book(room, name, nights))) return;
  await sleep(60);
  await move(name, room, room === 101 ? 102 : 101, nights);
};

await Promise.all([
  guest('ann', 10, 101, [1, 2]),
  guest('ben', 50, 101, [2, 3]),
  guest('cat', 90, 102, [1, 2, 3]),
  guest('dan', 140, 101, [4]),
  guest('eve', 170, 102, [4, 5]),
  guest('fay', 200, 101, [5]),
]);
console.log('booked');
