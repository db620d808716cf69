// expect: violation book
const seats = new Map([['A1', null]]);
const find = (seat) => new Promise((resolve) => setImmediate(() => resolve(seats.get(seat)))); // (1)

function save(seat, name) {
  return new Promise((resolve) => {
    setImmediate(() => {
      seats.set(seat, name); // (2)
      resolve();
    });
  });
}

async function book(seat, name) {
  if ((await find(seat)) !== null) return false;
  await save(seat, name);
  return true;
}

console.log(await Promise.all([book('A1', 'ann'), book('A1', 'bob')]), seats);
