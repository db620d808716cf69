// memcached-load.mjs PORT: increments one counter from four connections, and prints what it is in the end.
import { once } from 'node:events';
import { connect } from 'node:net';

const [port] = process.argv.slice(2).map(Number);
const CLIENTS = 4;
const ROUNDS = 50;

/** Waits until the server is there. */
async function connected() {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function ask(socket, request, lines) {
  let text = '';
  socket.write(request);
  while (text.split('\r\n').length <= lines) text += (await once(socket, 'data'))[0];
  return text.split('\r\n');
}

async function increment() {
  const socket = await connected();
  await ask(socket, 'incr n 1\r\n'.repeat(ROUNDS), ROUNDS);
  socket.end();
}

const first = await connected();
// Where a number gets longer, memcached makes a new item.
await ask(first, 'set n 0 0 1\r\n9\r\n', 1);
await Promise.all(Array.from({ length: CLIENTS }, increment));
const [, value] = await ask(first, 'get n\r\n', 3);
console.log(`${CLIENTS * ROUNDS} increments from 9: ${value}`);
first.end();
