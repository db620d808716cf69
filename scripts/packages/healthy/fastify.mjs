// Plugins, hooks, decorators, schemas, errors; requests by inject and over a socket at the same time.
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';

const app = Fastify();
app.decorate('config', null);
app.decorateRequest('user', null);
app.register(
  async (scope) => {
    await sleep(2);
    scope.addHook('preHandler', async (request) => {
      await sleep(1);
      request.user = request.headers['x-user'] ?? 'nobody';
    });
    scope.get('/me', async (request) => {
      await sleep(Number(request.query.wait ?? 0));
      return { user: request.user };
    });
  },
  { prefix: '/v1' },
);
app.post(
  '/sum',
  {
    schema: {
      body: {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'number' }, b: { type: 'number' } },
      },
      response: { 200: { type: 'object', properties: { sum: { type: 'number' } } } },
    },
  },
  async ({ body }) => ({ sum: body.a + body.b, secret: 1 }),
);
app.get('/fail', async () => {
  throw Object.assign(new Error('nope'), { statusCode: 409 });
});
app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'));
await app.listen({ port: 0 });
const { port } = app.server.address();
const answers = await Promise.all([
  ...['ann', 'bob', 'cid'].map((user, i) =>
    app.inject({ url: `/v1/me?wait=${3 - i}`, headers: { 'x-user': user } }),
  ),
  app.inject({ method: 'POST', url: '/sum', payload: { a: 1, b: 2 } }),
  app.inject({ method: 'POST', url: '/sum', payload: { a: 1 } }),
  app.inject('/fail'),
  app.inject('/gone'),
]);
for (const { statusCode, payload } of answers) console.log(statusCode, payload);
console.log(
  await Promise.all(
    [1, 2, 3].map(async (n) => (await fetch(`http://localhost:${port}/v1/me?wait=${n}`)).text()),
  ),
);
await app.close();
