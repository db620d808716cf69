/* A small server as many are: items in a table, by HTTP. PGURL says where the database is; prints its port. */
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.PGURL, max: 10 });

async function create({ name, price }) {
  const { rows } = await pool.query('INSERT INTO items (name, price) VALUES ($1, $2) RETURNING *', [
    name,
    price,
  ]);
  return rows[0];
}

async function find(id) {
  const { rows } = await pool.query('SELECT id, name, price FROM items WHERE id = $1', [id]);
  return rows[0] ?? null;
}

async function change(id, { price }) {
  const { rowCount } = await pool.query('UPDATE items SET price = $1 WHERE id = $2', [price, id]);
  return { changed: rowCount };
}

async function remove(id) {
  const { rowCount } = await pool.query('DELETE FROM items WHERE id = $1', [id]);
  return { removed: rowCount };
}

async function list() {
  const { rows } = await pool.query('SELECT id, name, price FROM items ORDER BY id DESC LIMIT 10');
  return rows;
}

async function order(id) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT price FROM items WHERE id = $1 FOR UPDATE', [id]);
    if (rows.length > 0)
      await client.query('UPDATE items SET price = $1 WHERE id = $2', [Number(rows[0].price) + 1, id]);
    await client.query('COMMIT');
    return { ordered: rows.length };
  } finally {
    client.release();
  }
}

async function body(request) {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? {} : JSON.parse(text);
}

async function handle(request) {
  const { method, url } = request;
  const [, , id, what] = url.split('/');
  if (id === undefined) return method === 'POST' ? create(await body(request)) : list();
  if (what === 'order') return order(Number(id));
  if (method === 'PUT') return change(Number(id), await body(request));
  return method === 'DELETE' ? remove(Number(id)) : find(Number(id));
}

/** For whoever measures. */
async function end(response) {
  response.end();
  server.close();
  server.closeIdleConnections();
  await pool.end();
}

const server = createServer(async (request, response) => {
  try {
    if (request.url === '/usage') return response.end(JSON.stringify(process.cpuUsage()));
    if (request.url === '/end') return end(response);
    const answer = JSON.stringify(await handle(request));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(answer);
  } catch (error) {
    response.writeHead(500);
    response.end(String(error));
  }
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
