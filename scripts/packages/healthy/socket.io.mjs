import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';

const http = createServer();
const server = new Server(http);
http.listen(0);
await once(http, 'listening');
server.on('connection', (socket) => {
  socket.on('add', async (n, answer) => {
    await null;
    answer(n + 1);
  });
});
const clients = [1, 2].map(() =>
  io(`http://localhost:${http.address().port}`, { transports: ['websocket'] }),
);
await Promise.all(clients.map((client) => new Promise((r) => client.on('connect', r))));
console.log(
  await Promise.all(
    clients.flatMap((client, i) => [client.emitWithAck('add', i), client.emitWithAck('add', 10 + i)]),
  ),
);
for (const client of clients) client.close();
await server.close();
