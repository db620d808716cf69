/*
 * Programs like services, without a network: each is a style of its own, and none is measured anywhere else. They are CommonJS and
 * export `run(size)`, which serves `size` requests, a few at a time.
 */
export const SERVICES = [
  {
    name: 'router with middleware',
    unit: 'request',
    size: 10_000,
    program: `
const { setImmediate: turn } = require('node:timers/promises');
class Router {
  constructor() { this.middleware = []; this.routes = new Map(); }
  use(handler) { this.middleware.push(handler); return this; }
  on(method, path, handler) { this.routes.set(method + ' ' + path, handler); return this; }
  async dispatch(context, at = 0) {
    if (at < this.middleware.length) {
      const next = () => this.dispatch(context, at + 1);
      return this.middleware[at](context, next);
    }
    const handler = this.routes.get(context.request.method + ' ' + context.request.path);
    if (handler === undefined) { context.response.status = 404; return; }
    await handler(context);
  }
}
const sessions = new Map();
const counters = { requests: 0, failures: 0 };
const app = new Router()
  .use(async (context, next) => {
    counters.requests++;
    const start = context.started;
    try { await next(); } catch (error) { counters.failures++; context.response.status = 500; context.response.body = error.message; }
    context.response.headers['x-time'] = String(context.ended - start);
  })
  .use(async (context, next) => {
    const id = context.request.headers.cookie;
    let session = sessions.get(id);
    if (session === undefined) { session = { id, user: 'u' + id, seen: 0 }; sessions.set(id, session); }
    context.session = session;
    await next();
    session.seen++;
  })
  .use(async (context, next) => {
    const { body } = context.request;
    if (body !== null) context.input = JSON.parse(body);
    await null;
    return next();
  })
  .on('GET', '/profile', async ({ session, response }) => {
    await null;
    response.body = JSON.stringify({ user: session.user, seen: session.seen });
  })
  .on('POST', '/notes', async ({ session, input, response }) => {
    if (typeof input.text !== 'string') throw new Error('no text');
    await null;
    response.status = 201;
    response.body = JSON.stringify({ by: session.user, length: input.text.length });
  });
async function serve(i) {
  const isPost = i % 3 === 0;
  const context = {
    started: i,
    ended: i + 1,
    request: { method: isPost ? 'POST' : 'GET', path: isPost ? '/notes' : '/profile', headers: { cookie: i % 200 }, body: isPost ? '{"text":"hello ' + i + '"}' : null },
    response: { status: 200, headers: {}, body: '' },
  };
  await app.dispatch(context);
  return context.response;
}
module.exports = async function run(size) {
  let good = 0;
  for (let i = 0; i < size; i += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, j) => serve(i + j)));
    for (const { status } of answers) if (status < 300) good++;
    await turn();
  }
  return good;
};`,
  },
  {
    name: 'service of classes',
    unit: 'order',
    size: 10_000,
    program: `
const { setImmediate: turn } = require('node:timers/promises');
class Repository {
  #rows = new Map();
  #next = 1;
  async insert(row) { await null; const stored = { ...row, id: this.#next++ }; this.#rows.set(stored.id, stored); return stored; }
  async find(id) { await null; return this.#rows.get(id) ?? null; }
  async remove(id) { await null; return this.#rows.delete(id); }
}
class Cache {
  constructor(most) { this.most = most; this.entries = new Map(); this.hits = 0; }
  async get(key, load) {
    const known = this.entries.get(key);
    if (known !== undefined) { this.hits++; return known; }
    const made = await load(key);
    this.entries.set(key, made);
    if (this.entries.size > this.most) this.entries.delete(this.entries.keys().next().value);
    return made;
  }
}
class Money {
  constructor(cents, currency) { this.cents = cents; this.currency = currency; }
  times(n) { return new Money(this.cents * n, this.currency); }
  plus(other) { return new Money(this.cents + other.cents, this.currency); }
}
class OrderService {
  constructor(products, orders, prices) { this.products = products; this.orders = orders; this.prices = prices; this.log = []; }
  async priceOf(id) {
    return this.prices.get(id, async (key) => { const product = await this.products.find(key); return new Money(product.price, 'EUR'); });
  }
  async place(customer, lines) {
    let total = new Money(0, 'EUR');
    for (const line of lines) {
      const price = await this.priceOf(line.product);
      total = total.plus(price.times(line.quantity));
    }
    const order = await this.orders.insert({ customer, lines, cents: total.cents, state: 'new' });
    await this.confirm(order);
    return order;
  }
  async confirm(order) {
    await null;
    order.state = 'confirmed';
    this.log.push(order.id);
    if (this.log.length > 100) this.log.shift();
  }
}
module.exports = async function run(size) {
  const products = new Repository();
  for (let i = 0; i < 50; i++) await products.insert({ name: 'p' + i, price: 100 + i });
  const orders = new Repository();
  const service = new OrderService(products, orders, new Cache(30));
  let sum = 0;
  for (let i = 0; i < size; i += 25) {
    const placed = await Promise.all(Array.from({ length: 25 }, (_, j) =>
      service.place('c' + j, [{ product: 1 + ((i + j) % 50), quantity: 1 }, { product: 1 + ((i + 7 * j) % 50), quantity: 2 }])));
    for (const order of placed) { sum += order.cents; await orders.remove(order.id); }
    await turn();
  }
  return sum;
};`,
  },
  {
    name: 'pipeline of events',
    unit: 'message',
    size: 10_000,
    program: `
const { EventEmitter, once } = require('node:events');
const { Readable, Transform, Writable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
class Parser extends Transform {
  constructor() { super({ objectMode: true }); this.parsed = 0; }
  _transform(line, _encoding, done) {
    const [kind, id, value] = line.split(',');
    this.parsed++;
    done(null, { kind, id: Number(id), value: Number(value), tags: [] });
  }
}
class Enricher extends Transform {
  constructor(names) { super({ objectMode: true }); this.names = names; }
  async _transform(message, _encoding, done) {
    message.name = this.names.get(message.id % 10);
    message.tags.push(message.kind);
    await null;
    if (message.value > 50) message.tags.push('large');
    done(null, message);
  }
}
class Totals extends Writable {
  constructor(bus) { super({ objectMode: true }); this.bus = bus; this.byName = new Map(); }
  _write(message, _encoding, done) {
    const total = this.byName.get(message.name) ?? { count: 0, sum: 0 };
    total.count++;
    total.sum += message.value;
    this.byName.set(message.name, total);
    if (message.tags.includes('large')) this.bus.emit('large', message);
    done();
  }
}
module.exports = async function run(size) {
  const bus = new EventEmitter();
  const names = new Map(Array.from({ length: 10 }, (_, i) => [i, 'n' + i]));
  let large = 0;
  const seen = { last: null };
  bus.on('large', (message) => { large++; seen.last = message; });
  const over = once(bus, 'over');
  const lines = function* () { for (let i = 0; i < size; i++) yield (i % 2 ? 'set' : 'add') + ',' + i + ',' + (i % 100); };
  const totals = new Totals(bus);
  await pipeline(Readable.from(lines()), new Parser(), new Enricher(names), totals);
  bus.emit('over', totals.byName.size);
  const [kinds] = await over;
  return large + kinds;
};`,
  },
  {
    name: 'tree of resolvers',
    unit: 'query',
    size: 4_000,
    program: `
const { setImmediate: turn } = require('node:timers/promises');
const users = Array.from({ length: 100 }, (_, id) => ({ id, name: 'user ' + id, friends: [(id + 1) % 100, (id + 7) % 100] }));
const posts = Array.from({ length: 300 }, (_, id) => ({ id, author: id % 100, title: 'post ' + id, likes: id % 13 }));
const byAuthor = new Map();
for (const post of posts) byAuthor.set(post.author, [...(byAuthor.get(post.author) ?? []), post]);
const schema = {
  Query: { user: { type: 'User', resolve: async (_, { id }, context) => context.users.load(id) } },
  User: {
    id: { resolve: (user) => user.id },
    name: { resolve: (user) => user.name },
    friends: { type: 'User', isList: true, resolve: (user, _, context) => Promise.all(user.friends.map((id) => context.users.load(id))) },
    posts: { type: 'Post', isList: true, resolve: async (user) => { await null; return byAuthor.get(user.id); } },
  },
  Post: { title: { resolve: (post) => post.title }, likes: { resolve: (post) => post.likes } },
};
class Loader {
  constructor(fetch) { this.fetch = fetch; this.known = new Map(); }
  load(id) {
    let promise = this.known.get(id);
    if (promise === undefined) { promise = this.fetch(id); this.known.set(id, promise); }
    return promise;
  }
}
async function fieldOf(type, source, selection, context) {
  const field = schema[type][selection.name];
  const value = await field.resolve(source, selection.args ?? {}, context);
  context.resolved++;
  if (field.type === undefined) return value;
  if (field.isList) return Promise.all(value.map((item) => objectOf(field.type, item, selection.fields, context)));
  return objectOf(field.type, value, selection.fields, context);
}
async function objectOf(type, source, fields, context) {
  const values = await Promise.all(fields.map((selection) => fieldOf(type, source, selection, context)));
  const result = {};
  for (let i = 0; i < fields.length; i++) result[fields[i].name] = values[i];
  return result;
}
async function execute(query) {
  const context = { users: new Loader(async (id) => { await null; return users[id]; }), resolved: 0 };
  const data = await objectOf('Query', null, query, context);
  return { data, resolved: context.resolved };
}
const queryFor = (id) => [{ name: 'user', args: { id }, fields: [
  { name: 'name' }, { name: 'posts', fields: [{ name: 'title' }, { name: 'likes' }] }, { name: 'friends', fields: [{ name: 'id' }, { name: 'name' }] },
] }];
module.exports = async function run(size) {
  let resolved = 0;
  for (let i = 0; i < size; i += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, j) => execute(queryFor((i + j) % 100))));
    for (const answer of answers) resolved += answer.resolved;
    await turn();
  }
  return resolved;
};`,
  },
];
