const turn = () => new Promise((resolve) => setImmediate(resolve));
// A store whose changes are functions of the state.
let state = { count: 0, user: 'ann' };
const update = (change) => {
  state = { ...state, ...change(state) };
};
const fetchStep = async () => {
  await turn();
  return 1;
};
async function increment() {
  const step = await fetchStep();
  update(({ count }) => ({ count: count + step }));
}
module.exports = Promise.all([increment(), increment()]).then(() => state);
