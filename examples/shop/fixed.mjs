// As broken.mjs, but the lamp is taken before the payment, and put back if that fails.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const stock = { lamp: 1 };

async function pay() {
  await pause(100);
}

function take(article) {
  if (stock[article] === 0) return false;
  stock[article]--;
  return true;
}

async function order(article) {
  if (!take(article)) return 'sold out';
  try {
    await pay();
    return 'sold';
  } catch {
    stock[article]++;
    return 'not paid';
  }
}

const server = createServer(async (request, response) => {
  const answer = await order(request.url.slice(1));
  response.end(answer);
});
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const { port } = server.address();
const buy = async () => (await fetch(`http://127.0.0.1:${port}/lamp`)).text();
console.log('customers hear:', (await Promise.all([buy(), buy()])).sort());
console.log('lamps left:', stock.lamp);
server.closeAllConnections();
server.close();
