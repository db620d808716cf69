// expect: ok
// The same without the mistake: looked at again, one after the other, or counted.
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const data = new Map([['hits', 1]]);
const store = {
  get: (key, cb) => setImmediate(() => cb(null, data.get(key))),
  set: (key, value, cb) =>
    setImmediate(() => {
      data.set(key, value);
      cb(null);
    }),
};

/** Those who come later wait for those before. */
const waiting = [];
let isBusy = false;
function turn(job) {
  if (isBusy) return void waiting.push(job);
  isBusy = true;
  job(() => {
    isBusy = false;
    const next = waiting.shift();
    if (next) turn(next);
  });
}

function increment(key, done) {
  turn((release) => {
    store.get(key, (error, value) => {
      if (error) return done(error);
      store.set(key, value + 1, (failure) => {
        release();
        done(failure);
      });
    });
  });
}

/** A file of its own for everyone. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'visits-'));
function visit(name, done) {
  const file = path.join(folder, name);
  fs.readFile(file, 'utf8', (_error, text = '0') => {
    fs.writeFile(file, String(Number(text) + 1), (failure) => done(failure));
  });
}

/** Looks when it acts. */
let seats = 1;
function reserve(name, done) {
  setTimeout(() => {
    if (seats === 0) return done(new Error('full'));
    seats = seats - 1;
    done(null, name);
  }, 1);
}

/** Acts before it waits. */
const account = { balance: 100 };
function withdraw(amount, done) {
  account.balance -= amount;
  setImmediate(() => done(null));
}

/** A cache in front of something slow, with one request for all who ask. */
const known = new Map();
const asking = new Map();
function lookUp(key, done) {
  if (known.has(key)) return done(null, known.get(key));
  const others = asking.get(key);
  if (others) return void others.push(done);
  asking.set(key, [done]);
  store.get(key, (error, value) => {
    known.set(key, value);
    const all = asking.get(key);
    asking.delete(key);
    for (const one of all) one(error, value);
  });
}

/** Statistics, a loop of timers, listeners that stay. */
const stats = { requests: 0, open: 0, last: null };
let rounds = 0;
function poll(done) {
  stats.last = rounds;
  setTimeout(() => {
    rounds++;
    if (rounds < 3) poll(done);
    else done();
  }, 1);
}

let stock = 3;
const server = http.createServer(function POST(req, res) {
  stats.requests++;
  stats.open++;
  let body = '';
  req.on('data', (chunk) => {
    body += chunk;
  });
  req.on('end', () => {
    setImmediate(() => {
      stock--;
      stats.open--;
      res.end(`${body} ${stock}`);
    });
  });
});

function both(one, other, then) {
  let open = 2;
  const over = () => {
    open--;
    if (open === 0) then();
  };
  one(over);
  other(over);
}

both(
  (done) => increment('hits', done),
  (done) => increment('hits', done),
  () =>
    both(
      (done) => visit('a', done),
      (done) => visit('b', done),
      () =>
        both(
          (done) => reserve('Ann', done),
          (done) => reserve('Bob', done),
          () =>
            both(
              (done) => withdraw(10, done),
              (done) => withdraw(20, done),
              () =>
                both(
                  (done) => lookUp('hits', done),
                  (done) => lookUp('hits', done),
                  () => both(poll, (done) => setTimeout(done, 1), requests),
                ),
            ),
        ),
    ),
);

/** Both requests are there before the first one is sent to its end. */
function requests() {
  const sent = [];
  server.on('request', () => {
    stillToCome--;
    if (stillToCome === 0) for (const request of sent) request.end();
  });
  let stillToCome = 2;
  server.listen(0, () => {
    const { port } = server.address();
    const order = (done) => {
      const request = http.request({ port, method: 'POST', agent: false }, (res) =>
        res.resume().on('end', done),
      );
      request.flushHeaders();
      sent.push(request);
    };
    both(order, order, () => {
      server.close();
      fs.rmSync(folder, { recursive: true });
      console.log(data.get('hits'), seats, account.balance, stats.requests, stats.open, rounds >= 3);
    });
  });
}
