// expect: ok
const http = require('node:http');

const config = Object.freeze({ greeting: 'hello' });
let served = 0;

async function authenticate(context) {
  await new Promise(setImmediate);
  context.user = context.request.url.slice(1);
}

async function render(context) {
  if (!context.body) {
    await new Promise(setImmediate);
    context.body = `${config.greeting} ${context.user}`;
  }
}

const server = http.createServer(async (request, response) => {
  const context = { request, response, user: null, body: '' };
  await authenticate(context);
  await render(context);
  served += 1;
  response.end(context.body);
});

server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const answers = await Promise.all([fetch(`${url}/ann`), fetch(`${url}/bob`)]);
  console.log(await Promise.all(answers.map((answer) => answer.text())), served);
  server.close();
  server.closeAllConnections();
});
