// expect: violation use
const loaded = new Map();
const host = { extensions: [] };
async function use(name) {
  if (loaded.has(name)) return loaded.get(name);
  const plugin = await import(`./plug/${name}.mjs`);
  await plugin.setup(host);
  loaded.set(name, plugin);
  return plugin;
}
await Promise.all([use('late'), use('late')]);
console.log(host.extensions.length);
