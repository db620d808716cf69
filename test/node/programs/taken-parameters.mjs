// expect: violation book
// expect: violation spend
// What a function takes of its arguments by a pattern, it has read.
const seats = [{ name: 'A1', taken: false }];
const purse = { coins: 5 };

function findFree() {
  return seats.find(({ taken }) => !taken);
}

async function book() {
  const seat = findFree();
  if (seat === undefined) return;
  await null;
  seat.taken = true;
}

async function spend({ coins }, price) {
  await null;
  purse.coins = coins - price;
}

await Promise.all([book(), book()]);
await Promise.all([spend(purse, 1), spend(purse, 2)]);
console.log(seats, purse.coins, spend.length);
