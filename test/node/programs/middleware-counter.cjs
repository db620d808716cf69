// expect: violation countVisits
const http = require('node:http');

let visits = 0;
const waiting = [];

/** Until a second one waits, too. */
function bothHere() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 2) for (const go of waiting) go();
  });
}

async function persist(count) {
  await bothHere();
  return count;
}

async function countVisits(context, next) {
  const count = visits + 1; // (1)
  await persist(count);
  visits = count; // (2)
  context.visits = count;
  await next();
}

async function respond(context) {
  context.response.end(`visit ${context.visits}`);
}

const server = http.createServer((request, response) => {
  const context = { request, response, visits: 0 };
  countVisits(context, () => respond(context));
});

server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const answers = await Promise.all([fetch(url), fetch(url)]);
  console.log(await Promise.all(answers.map((answer) => answer.text())));
  server.close();
  server.closeAllConnections();
});
