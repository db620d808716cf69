// expect: violation request
import { createServer } from 'node:http';

const seats = new Set(['1a', '1b']);
const waiting = [];

/** Until a second one waits, too. */
function bothHere() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 2) for (const go of waiting) go();
  });
}
const server = createServer();
server.on('request', async (_request, response) => {
  const [seat] = seats;
  await bothHere();
  seats.delete(seat);
  response.end(seat);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const answers = await Promise.all([fetch(url), fetch(url)]);
console.log(await Promise.all(answers.map((answer) => answer.text())));
server.close();
server.closeAllConnections();
