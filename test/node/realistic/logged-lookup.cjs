const turn = () => new Promise((resolve) => setImmediate(resolve));
const cache = new Map();
const log = (...words) => words.join(' ');
async function load(key) {
  await turn();
  return { key };
}
async function get(key) {
  log('lookup', cache.get(key));
  if (cache.get(key) === undefined) cache.set(key, load(key));
  return cache.get(key);
}
module.exports = Promise.all([get('a'), get('a')]);
