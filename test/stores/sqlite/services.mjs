// expect: violation ask.withdraw
// expect: violation ask.correct
// expect: violation ask.forget
// prints: headers of the program: other=1
// prints: 40 90
// A service keeps the accounts, and another process asks it over HTTP. What it does for a call that is awaited belongs to the block
// of the caller, with the headers that the program has sent.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

const file = process.env.ACCOUNTS ?? join(tmpdir(), `services-${process.pid}.db`);
const db = new Database(file);
const read = (id) => db.prepare('SELECT balance FROM accounts WHERE id = ?').get(id).balance;
const write = (id, balance) => db.prepare('UPDATE accounts SET balance = ? WHERE id = ?').run(balance, id);

if (process.send !== undefined) serve();
else await ask();

function serve() {
  const take = db.prepare('UPDATE accounts SET balance = balance - ? WHERE id = ? AND balance >= ?');
  async function answer(request, response) {
    let text = '';
    for await (const part of request) text += part;
    const [, id] = request.url.split('/');
    const given = text === '' ? null : JSON.parse(text);
    if (request.method === 'GET') response.end(JSON.stringify({ balance: read(id) }));
    else if (request.method === 'PUT') {
      write(id, given.balance);
      response.end(`${request.headers.tracestate}`);
    } else response.end(JSON.stringify({ isTaken: take.run(given.amount, id, given.amount).changes === 1 }));
    if (id === 'dan') process.send('written');
  }
  const server = http.createServer((request, response) => void answer(request, response));
  process.once('message', () => {
    server.close();
    server.closeAllConnections();
    db.close();
    process.disconnect();
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

async function ask() {
  db.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, balance INTEGER NOT NULL)');
  for (const id of ['ann', 'bob', 'cem', 'dan', 'eve'])
    db.prepare('INSERT INTO accounts VALUES (?, 100)').run(id);
  const service = fork(fileURLToPath(import.meta.url), { env: { ...process.env, ACCOUNTS: file } });
  const [port] = await once(service, 'message');
  const url = `http://127.0.0.1:${port}`;

  /** Lets both go on when both are there. */
  const met = new Map();
  function meet(name) {
    const waiting = met.get(name);
    if (waiting !== undefined) return void waiting();
    return new Promise((resolve) => met.set(name, resolve));
  }

  async function withdraw(amount) {
    const { balance } = await (await fetch(`${url}/ann`)).json(); // (1)
    await meet('ann');
    await fetch(`${url}/ann`, { method: 'PUT', body: JSON.stringify({ balance: balance - amount }) }); // (2)
  }

  async function withdrawGuarded(amount) {
    const { balance } = await (await fetch(`${url}/bob`)).json();
    await meet('bob');
    if (balance < amount) return false;
    const answer = await fetch(`${url}/bob`, { method: 'POST', body: JSON.stringify({ amount }) });
    return (await answer.json()).isTaken;
  }

  /** As libraries do it. */
  function put(id, balance) {
    return new Promise((resolve, reject) => {
      const request = http.request(`${url}/${id}`, { method: 'PUT', headers: { tracestate: 'other=1' } });
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      });
      request.on('error', reject);
      request.end(JSON.stringify({ balance }));
    });
  }

  async function correct(by) {
    const balance = read('cem'); // (1)
    await meet('cem');
    await put('cem', balance + by); // (2)
  }

  // Nobody waits for the answer: what the service does then comes between.
  async function forget() {
    const balance = read('dan'); // (1)
    const done = once(service, 'message');
    fetch(`${url}/dan`, { method: 'PUT', body: '{"balance":50}' }).catch(console.error);
    await done;
    write('dan', balance - 10); // (2)
  }

  async function wait() {
    const balance = read('eve');
    const text = await put('eve', balance + 10);
    write('eve', balance + 20);
    return text;
  }

  await Promise.all([withdraw(10), withdraw(20)]);
  await Promise.all([withdrawGuarded(60), withdrawGuarded(60)]);
  await Promise.all([correct(1), correct(2)]);
  console.log('headers of the program:', await wait());
  await forget();
  console.log(read('bob'), read('dan'));
  service.send('end');
  await once(service, 'exit');
  db.close();
  rmSync(file);
}
