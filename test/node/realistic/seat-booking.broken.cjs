// because: stale-act duplicate-work
const turn = () => new Promise((resolve) => setImmediate(resolve));
// The seat is found, confirmed, and then marked.
const seats = [
  { id: '1a', by: null },
  { id: '1b', by: null },
];
const confirm = async () => {
  await turn();
};
async function book(user) {
  const seat = seats.find(({ by }) => by === null);
  if (seat === undefined) return null;
  await confirm();
  seat.by = user;
  return seat.id;
}
module.exports = Promise.all([book('ann'), book('bob')]);
