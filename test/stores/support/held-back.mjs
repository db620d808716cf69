// A way to a server on which answers can be held back, for each connection that goes through it.
import { connect, createServer } from 'node:net';

export async function heldBack(url) {
  const target = new URL(url);
  const ways = [];
  const server = createServer((client) => {
    const way = { isHeld: false, kept: [], arrived: () => {}, client };
    ways.push(way);
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream);
    upstream.on('data', (data) => {
      if (!way.isHeld) return client.write(data);
      way.kept.push(data);
      way.arrived();
    });
    for (const socket of [client, upstream])
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy();
          upstream.destroy();
        });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = server.address().port;
  return {
    url: through.href,
    /** From now on; resolves when there is an answer to hold back. */
    hold(number) {
      const way = ways[number];
      way.isHeld = true;
      return new Promise((resolve) => {
        way.arrived = resolve;
      });
    },
    release(number) {
      const way = ways[number];
      way.isHeld = false;
      for (const data of way.kept.splice(0)) way.client.write(data);
    },
    close: () => server.close(),
  };
}
