const turn = () => new Promise((resolve) => setImmediate(resolve));
// Plugins are set up once, however many ask for them.
const loaded = new Map();
const host = { extensions: [] };
const plugin = {
  async setup() {
    await turn();
    host.extensions.push('.late');
  },
};
function use(name) {
  if (!loaded.has(name))
    loaded.set(
      name,
      plugin.setup().then(() => plugin),
    );
  return loaded.get(name);
}
async function start() {
  return use('late');
}
module.exports = Promise.all([start(), start()]).then(() => host.extensions.length);
