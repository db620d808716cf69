// because: duplicate-work stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Two who find it missing both set it up, and store the same object.
const loaded = {};
const host = { extensions: [] };
const plugin = {
  async setup() {
    await turn();
    host.extensions.push('.late');
  },
};
async function use(name) {
  if (loaded[name]) return loaded[name];
  await plugin.setup();
  loaded[name] = plugin;
  return plugin;
}
module.exports = Promise.all([use('late'), use('late')]).then(() => host.extensions.length);
