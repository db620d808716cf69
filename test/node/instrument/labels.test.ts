import { describe, expect, test } from 'vitest';
import { labelsOf } from '../../support/instrumented-text.ts';

describe('the label of an async function is its qualified name', () => {
  const rows: [source: string, label: string][] = [
    ['async function transfer() {}', 'transfer'],
    ['class Bank { async transfer() {} }', 'Bank.transfer'],
    ['class Bank { async #hidden() {} }', 'Bank.#hidden'],
    ['class Bank { static async open() {} }', 'Bank.open'],
    ['class Bank { close = async () => {} }', 'Bank.close'],
    ['class Bank { async [Symbol.asyncDispose]() {} }', 'Bank.[Symbol.asyncDispose]'],
    ['const Bank = class { async transfer() {} }', 'Bank.transfer'],
    ['const bank = { async transfer() {} }', 'bank.transfer'],
    ['const bank = { transfer: async () => {} }', 'bank.transfer'],
    ['const transfer = async () => {}', 'transfer'],
    ['let transfer; transfer = async function () {}', 'transfer'],
    ['const a = async function b() {}', 'b'],
    ['exports.transfer = async () => {}', 'transfer'],
    ['module.exports = { async transfer() {} }', 'transfer'],
    ['Bank.prototype.transfer = async function () {}', 'Bank.transfer'],
    ['bank.transfer = async () => {}', 'bank.transfer'],
    ['this.transfer = async () => {}', 'transfer'],
    ['export default async () => {}', 'default'],
    ['export default class { async m() {} }', 'default.m'],
    ['const f = _asyncToGenerator(function* () {})', 'f'],
    ['function outer() { async function inner() {} }', 'outer.inner'],
    ['function outer() { items.map(async () => {}) }', 'outer.<anonymous>'],
    ['items.map(() => { async function inner() {} })', 'inner'],
    ['\nitems.map(async () => {})', 'async function at file.js:2'],
    ['function f() { return fetch(x).then(g) }', 'f'],
    [
      'Bank.prototype.transfer = function () { return __awaiter(this, 0, 0, function* () {}) }',
      'Bank.transfer',
    ],
    ['class Bank { transfer() { return __awaiter(this, 0, 0, function* () {}) } }', 'Bank.transfer'],
    ['const __proto__ = async () => {}', '__proto__'],
  ];
  for (const [source, label] of rows) {
    test(source, () => {
      expect(labelsOf(source)).toEqual([label]);
    });
  }
});

describe('a handler without a name is called after what calls it', () => {
  const rows: [source: string, label: string][] = [
    ["app.post('/orders', async (request) => {})", 'POST /orders'],
    ["function routes(app) { app.get('/orders/:id', check, async function () {}) }", 'GET /orders/:id'],
    ["app.route('/orders').get(list).post(async () => {})", 'POST /orders'],
    ["app.route({ method: 'PUT', url: '/orders', handler: async () => {} })", 'PUT /orders'],
    ["app.on('PURGE', '/cache', async (context) => {})", 'PURGE /cache'],
    ['app.use(async (context, next) => {})', 'middleware'],
    ["app.addHook('onRequest', async () => {})", "hook 'onRequest'"],
    ['createServer(async (request, response) => {})', 'request'],
    ['net.createServer(async (socket) => {})', 'connection'],
    ["io.on('connection', (socket) => { socket.on('bid', async () => {}) })", "message 'bid'"],
    ["socket.on('message', async (data) => {})", 'message'],
    ["emitter.once('paid', async () => {})", "event 'paid'"],
    ["client.subscribe('prices', async () => {})", "message 'prices'"],
    ["new Worker('mail', async (job) => {})", "job 'mail'"],
    ["queue.process('mail', async (job) => {})", "job 'mail'"],
    ["agenda.define('mail', { concurrency: 1 }, async (job) => {})", "job 'mail'"],
    ["channel.consume('mail', async (message) => {}, { noAck: false })", "message 'mail'"],
    ["router.get('order', '/orders/:id', async (context) => {})", 'GET /orders/:id'],
    ['app.get(/^\\/old/, async () => {})', 'GET /^\\/old/'],
    [`app.get(\`/\${version}/orders\`, async () => {})`, 'GET /…/orders'],
    ["app.post('/orders', asyncHandler(async (request) => {}))", 'POST /orders'],
    ["router.get('/orders', h3.eventHandler(async (event) => {}))", 'GET /orders'],
    ["app.post('/orders', [check, async (request) => {}])", 'POST /orders'],
    ["app.post('/orders', isOpen ? async (request) => {} : closed)", 'POST /orders'],
    ["app.post('/orders', { schema, handler: async (request) => {} })", 'POST /orders'],
    [
      'const routes = router({ addOrder: procedure.input(shape).mutation(async () => {}) })',
      "mutation 'addOrder'",
    ],
    ['mailQueue.add(async () => {})', 'job of mailQueue'],
    ['const resolvers = { Mutation: { addOrder: async () => {} } }', 'resolvers.Mutation.addOrder'],
    ["class Orders { @Post('/orders') async create() {} }", 'Orders.create'],
    ["app.post('/orders', async function create() {})", 'create'],
    ["app.post('/orders', () => { async function save() {} })", 'POST /orders.save'],
    ["app.post('/orders', () => __awaiter(this, 0, 0, function* () {}))", 'POST /orders'],
    ["cache.get('key', async () => {})", 'async function at file.js:1'],
    ["app.get('/orders', ids.map(async () => {}))", 'async function at file.js:1'],
    ["const rows = db.query('select 1', async () => {})", 'async function at file.js:1'],
  ];
  for (const [source, label] of rows) {
    test(source, () => {
      expect(labelsOf(source)).toEqual([label]);
    });
  }
});

test('Babel calls the function that stands for f `_f`', () => {
  const source =
    'function f() { return _f.apply(this, arguments) }\n' +
    'function _f() { _f = _asyncToGenerator(function* () {}); return _f.apply(this, arguments) }';
  expect(labelsOf(source)).toEqual(['f']);
});
