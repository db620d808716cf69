// expect: warning async function at shop-http-inline.mjs:7
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const seats = new Set(['1a', '1b']);
const server = createServer();
server.on('request', async (_request, response) => {
  const [seat] = seats;
  await sleep(5);
  seats.delete(seat);
  response.end(seat);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const answers = await Promise.all([fetch(url), fetch(url)]);
console.log(await Promise.all(answers.map((answer) => answer.text())));
server.close();
server.closeAllConnections();
