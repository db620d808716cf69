const turn = () => new Promise((resolve) => setImmediate(resolve));
// Writes of the configuration are queued.
let config = { theme: 'light', size: 1 };
let writing = Promise.resolve();
const disk = async (value) => {
  await turn();
  return value;
};
function change(patch) {
  writing = writing.then(async () => {
    config = await disk({ ...config, ...patch });
  });
  return writing;
}
async function setTheme() {
  await change({ theme: 'dark' });
}
async function setSize() {
  await change({ size: 2 });
}
module.exports = Promise.all([setTheme(), setSize()]).then(() => config);
