// Middleware that awaits around each other, state per request, errors, many requests at once.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';

const app = new Koa();
app.on('error', (error) => console.log(`error: ${error.message}`));
app.use(async (ctx, next) => {
  ctx.state.started = ctx.path;
  await next();
  ctx.set('x-path', ctx.state.started);
});
app.use(async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (error.status !== 418) throw error;
    ctx.status = 418;
    ctx.body = error.message;
  }
});
app.use(async (ctx) => {
  await sleep(Number(ctx.query.wait ?? 0));
  if (ctx.path === '/teapot') ctx.throw(418, 'short and stout');
  if (ctx.path === '/fail') throw new Error('failed');
  if (ctx.path === '/missing') return;
  ctx.body = { path: ctx.path, wait: ctx.query.wait };
});
const server = app.listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const get = (path) =>
  new Promise((resolve, reject) => {
    http
      .get({ port: server.address().port, path }, (response) => {
        let body = '';
        response
          .setEncoding('utf8')
          .on('data', (part) => {
            body += part;
          })
          .on('end', () => resolve(`${response.statusCode} ${response.headers['x-path'] ?? '-'} ${body}`));
      })
      .on('error', reject);
  });
const paths = [
  '/a?wait=9',
  '/b?wait=1',
  '/teapot?wait=4',
  '/missing',
  '/a?wait=3',
  '/c?wait=2',
  '/fail?wait=6',
];
for (const line of await Promise.all(paths.map(get))) console.log(line);
server.close();
