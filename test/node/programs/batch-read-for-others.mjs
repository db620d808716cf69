// expect: violation like
// One task reads for all who have asked; what it has read belongs to each of them.
class Batcher {
  #asked = [];

  constructor(load) {
    this.load = load;
  }

  get(key) {
    return new Promise((resolve) => {
      this.#asked.push({ key, resolve });
      if (this.#asked.length === 1) setImmediate(() => this.#answer());
    });
  }

  async #answer() {
    const asked = this.#asked.splice(0);
    const values = await this.load(asked.map(({ key }) => key));
    for (const [i, { resolve }] of asked.entries()) resolve(values[i]);
  }
}

const posts = new Map([
  [1, { likes: 0, title: 'one' }],
  [2, { likes: 0, title: 'two' }],
]);
const loader = new Batcher(async (ids) => ids.map((id) => ({ ...posts.get(id) })));
const log = [];

async function like(id) {
  const post = await loader.get(id);
  await null;
  posts.set(id, { ...post, likes: post.likes + 1 });
}

async function likeAnew(id) {
  const { title } = await loader.get(id);
  await null;
  log.push(title);
  const post = posts.get(id);
  posts.set(id, { ...post, likes: post.likes + 1 });
}

await Promise.all([like(1), like(1), like(1)]);
await Promise.all([likeAnew(2), likeAnew(2), likeAnew(2)]);
console.log([...posts.values()], log);
