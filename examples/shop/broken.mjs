// A shop with one lamp left, and two customers. Between looking at the stock and taking from it, it waits for the payment.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const stock = { lamp: 1 };

async function pay() {
  await pause(100);
}

async function order(article) {
  if (stock[article] > 0) {
    await pay();
    stock[article]--;
    return 'sold';
  }
  return 'sold out';
}

const server = createServer(async (request, response) => {
  const answer = await order(request.url.slice(1));
  response.end(answer);
});
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const { port } = server.address();
const buy = async () => (await fetch(`http://127.0.0.1:${port}/lamp`)).text();
console.log('customers hear:', await Promise.all([buy(), buy()]));
console.log('lamps left:', stock.lamp);
server.closeAllConnections();
server.close();
