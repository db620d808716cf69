// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// A patch that was made of an older state.
let state = { count: 0, user: 'ann' };
const setState = (patch) => {
  state = { ...state, ...patch };
};
const fetchStep = async () => {
  await turn();
  return 1;
};
async function increment() {
  const { count } = state;
  const step = await fetchStep();
  setState({ count: count + step });
}
module.exports = Promise.all([increment(), increment()]).then(() => state);
