// expect: violation order
import { createServer } from 'node:http';

const stock = { apples: 1 };
const waiting = [];

/** Until a second one waits, too. */
function bothHere() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 2) for (const go of waiting) go();
  });
}

async function order(item) {
  if (stock[item] < 1) return 409; // (1)
  await bothHere();
  stock[item] -= 1; // (2)
  return 201;
}

const server = createServer(async (request, response) => {
  response.statusCode = await order(request.url.slice(1));
  response.end();
});
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}/apples`;
const answers = await Promise.all([fetch(url), fetch(url)]);
console.log(
  answers.map(({ status }) => status),
  stock,
);
server.close();
server.closeAllConnections();
