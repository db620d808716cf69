// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Each writes the whole of what it has read.
let config = { theme: 'light', size: 1 };
const disk = async (value) => {
  await turn();
  return value;
};
async function change(patch) {
  config = await disk({ ...config, ...patch });
}
async function setTheme() {
  await change({ theme: 'dark' });
}
async function setSize() {
  await change({ size: 2 });
}
module.exports = Promise.all([setTheme(), setSize()]).then(() => config);
