// expect: violation increment
// expect: violation POST
// expect: violation reserve
// expect: violation visit
// expect: violation withdraw
// expect: violation claim
// Continuations without promises: what was read in one callback decides what another one writes.
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

/** A store with callbacks, as clients of Redis were. */
const data = new Map([['hits', 1]]);
const store = {
  get: (key, cb) => setImmediate(() => cb(null, data.get(key))),
  set: (key, value, cb) =>
    setImmediate(() => {
      data.set(key, value);
      cb(null);
    }),
};

function increment(key, done) {
  store.get(key, (error, value) => {
    if (error) return done(error);
    store.set(key, value + 1, done);
  });
}

/** The number of visits in a file. */
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'visits-')), 'visits');
fs.writeFileSync(file, '0');
function visit(done) {
  fs.readFile(file, 'utf8', (error, text) => {
    if (error) return done(error);
    fs.writeFile(file, String(Number(text) + 1), (failure) => done(failure));
  });
}

/** A check before the wait, and an act behind it. */
let seats = 1;
function reserve(name, done) {
  if (seats === 0) return done(new Error('full'));
  setTimeout(() => {
    seats = seats - 1;
    done(null, name);
  }, 1);
}

const account = { balance: 100 };
function withdraw(amount, done) {
  const before = account.balance;
  const pay = (error) => {
    account.balance = before - amount;
    done(error);
  };
  setImmediate(() => pay(null));
}

/** Steps that a library calls one after the other. */
function waterfall(steps, last) {
  let at = 0;
  const next = (error, ...values) => {
    if (error || at === steps.length) return last(error, ...values);
    steps[at++](...values, next);
  };
  next(null);
}
const jobs = { first: 'free' };
function claim(worker, done) {
  waterfall(
    [
      (cb) => setImmediate(() => cb(null, jobs.first)),
      (state, cb) => setImmediate(() => cb(state === 'free' ? null : new Error('taken'))),
      (cb) => {
        jobs.first = worker;
        cb(null);
      },
    ],
    (error) => done(error),
  );
}

/** A handler of requests that goes on in listeners. */
let stock = 3;
const server = http.createServer(function POST(req, res) {
  const left = stock;
  req.resume();
  req.on('end', () => {
    setImmediate(() => {
      stock = left - 1;
      res.end(String(stock));
    });
  });
});

/** Runs both at once, and then goes on. */
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
    both(visit, visit, () =>
      both(
        (done) => reserve('Ann', done),
        (done) => reserve('Bob', done),
        () =>
          both(
            (done) => withdraw(10, done),
            (done) => withdraw(20, done),
            () =>
              both(
                (done) => claim('one', done),
                (done) => claim('two', done),
                requests,
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
      fs.rmSync(path.dirname(file), { recursive: true });
      console.log(data.get('hits'), seats, account.balance, jobs.first, stock);
    });
  });
}
