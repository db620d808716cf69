// expect: violation use
const loaded = {};
const host = { extensions: [] };
const plugin = {
  async setup(host) {
    await new Promise((r) => setTimeout(r, 1));
    host.extensions.push('.late');
  },
};
async function use(name) {
  if (loaded[name]) return loaded[name];
  await plugin.setup(host);
  loaded[name] = plugin;
  return plugin;
}
await Promise.all([use('late'), use('late')]);
console.log(host.extensions.length);
