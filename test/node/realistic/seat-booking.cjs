const turn = () => new Promise((resolve) => setImmediate(resolve));
// The seat is marked where it is found free.
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
  seat.by = user;
  await confirm();
  return seat.id;
}
module.exports = Promise.all([book('ann'), book('bob'), book('cid')]);
