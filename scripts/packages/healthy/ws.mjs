import { once } from 'node:events';
import WebSocket, { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0 });
await once(server, 'listening');
const room = new Set();
server.on('connection', (socket) => {
  room.add(socket);
  socket
    .on('message', (data) => {
      for (const other of room) other.send(`${data}`);
    })
    .on('close', () => room.delete(socket));
});
const clients = await Promise.all(
  [1, 2, 3].map(async () => {
    const client = new WebSocket(`ws://localhost:${server.address().port}`);
    await once(client, 'open');
    return client;
  }),
);
const got = clients.map(
  (client) =>
    new Promise((resolve) => {
      const all = [];
      client.on('message', (data) => {
        all.push(`${data}`);
        if (all.length === 3) resolve(all.sort());
      });
    }),
);
for (const [i, client] of clients.entries()) client.send(`hello ${i}`);
console.log(await Promise.all(got));
for (const client of clients) client.close();
await Promise.all(clients.map((client) => once(client, 'close')));
server.close();
