import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';

const app = express();
app.use(express.json());
app.set('title', 'shop');
const requests = new Map();
app.use((request, _response, next) => {
  requests.set(request.path, (requests.get(request.path) ?? 0) + 1);
  next();
});
const router = express.Router();
router.param('id', async (request, _response, next, id) => {
  await sleep(1);
  request.item = { id };
  next();
});
router.get('/:id', async (request, response) => {
  await sleep(Number(request.query.wait ?? 0));
  response.json(request.item);
});
router.post('/', async (request, response) => {
  await sleep(1);
  response.status(201).json({ got: request.body, title: app.get('title') });
});
app.use('/items', router);
app.get('/fail', async () => {
  await sleep(1);
  throw new Error('failed');
});
app.use((error, _request, response, _next) => {
  response.status(500).send(error.message);
});
const server = app.listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const at = `http://localhost:${server.address().port}`;
const text = async (path, init) => {
  const answer = await fetch(at + path, init);
  return `${answer.status} ${await answer.text()}`;
};
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
for (const line of await Promise.all([
  text('/items/1?wait=5'),
  text('/items/2?wait=1'),
  text('/items', post),
  text('/fail'),
  text('/items/3'),
  text('/items', { ...post, body: '{' }),
]))
  console.log(line.split('\n')[0]);
console.log([...requests.values()].reduce((a, b) => a + b));
server.close();
server.closeAllConnections();
