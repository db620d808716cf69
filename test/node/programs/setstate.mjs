// expect: violation inc
let state = { n: 0, user: 'ann' };
const setState = (patch) => {
  state = { ...state, ...patch };
};
async function inc() {
  const { n } = state;
  await null;
  setState({ n: n + 1 });
}
await Promise.all([inc(), inc(), inc()]);
console.log(state.n); // 1 instead of 3
