// A way to a server on which answers can be held back, for each connection that goes through it.
import { connect, createServer } from 'node:net';
import pg from 'pg';
import { database } from './database.mjs';

/** Two clients of a database with two pages, whose answers go such a way: 0 is the reader's, 1 the writer's. */
export async function pagesBehind(name) {
  const pool = await database(
    name,
    `CREATE TABLE pages (id integer PRIMARY KEY, views integer, seen timestamptz);
     INSERT INTO pages VALUES (1, 1, now()), (2, 1, now())`,
    1,
  );
  const { rows } = await pool.query('SELECT current_schema() AS name');
  const way = await heldBack(process.env.PGURL);
  const clients = [];
  for (let i = 0; i < 2; i++) {
    const client = new pg.Client({ connectionString: way.url, options: `-c search_path=${rows[0].name}` });
    await client.connect();
    clients.push(client);
  }
  const close = async () => {
    for (const client of clients) await client.end();
    way.close();
    await pool.end();
  };
  return { pool, way, reader: clients[0], writer: clients[1], close };
}

async function heldBack(url) {
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
