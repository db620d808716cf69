// expect: ok
// Whoever waits for the one request puts down what came of it: the same, however it is kept.
const kept = new Map();
const pending = new Map();
const inObject = {};
const pendingInObject = {};

async function request(key) {
  await new Promise((resolve) => setImmediate(resolve));
  return { key, token: `token of ${key}`, uses: 0 };
}

async function inMaps(key) {
  const found = kept.get(key);
  if (found) return found;
  if (!pending.has(key)) pending.set(key, request(key));
  const { token } = await pending.get(key);
  kept.set(key, token);
  pending.delete(key);
  return token;
}

async function inObjects(key) {
  if (inObject[key]) return inObject[key];
  pendingInObject[key] ??= request(key);
  inObject[key] = (await pendingInObject[key]).token;
  delete pendingInObject[key];
  return inObject[key];
}

/** A store, which is asked and told in a while. */
class Store {
  #key;
  #value;
  async get(key) {
    return key === this.#key ? this.#value : undefined;
  }
  async set(key, value, _ttl) {
    this.#key = key;
    this.#value = value;
  }
}
const store = new Store();

async function inStore(key) {
  const found = await store.get(key);
  if (found) return found;
  if (!pending.has(key)) pending.set(key, request(key));
  const answer = await pending.get(key);
  await store.set(key, answer, 60);
  pending.delete(key);
  return answer;
}

let one;
let pendingOne;
function inChain() {
  if (one !== undefined) return Promise.resolve(one);
  pendingOne ??= request('one');
  return pendingOne.then(({ token }) => {
    one = token;
    pendingOne = undefined;
    return one;
  });
}

for (const get of [inMaps, inObjects, inStore, inChain])
  console.log(new Set(await Promise.all([get('a'), get('a'), get('a')])).size);
