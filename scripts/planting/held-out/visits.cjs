// Callbacks only: counters of visits in a file, under async-lock.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const AsyncLock = require('async-lock');

const lock = new AsyncLock();
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'visits-')), 'visits.json');
fs.writeFileSync(file, '{}');

function visit(page, callback) {
  const guard = lock; // lock: visit -> const guard = { acquire: (_key, work, done) => work(done) };
  guard.acquire(
    'visits',
    (done) => {
      fs.readFile(file, 'utf8', (error, text) => {
        if (error) return done(error);
        const counts = JSON.parse(text || '{}');
        counts[page] = (counts[page] || 0) + 1;
        fs.writeFile(file, JSON.stringify(counts), done);
      });
    },
    callback,
  );
}

function reset(page, callback) {
  const guard = lock; // lock: reset -> const guard = { acquire: (_key, work, done) => work(done) };
  guard.acquire(
    'visits',
    (done) => {
      fs.readFile(file, 'utf8', (error, text) => {
        if (error) return done(error);
        const counts = JSON.parse(text || '{}');
        delete counts[page];
        fs.writeFile(file, JSON.stringify(counts), done);
      });
    },
    callback,
  );
}

let left = 10;
const finished = (error) => {
  if (error) console.error(error.message);
  if (--left > 0) return;
  console.log('done');
  fs.rmSync(path.dirname(file), { recursive: true });
};
for (let i = 0; i < 8; i++) setTimeout(() => visit(i % 2 ? '/home' : '/about', finished), 30 * i);
setTimeout(() => reset('/home', finished), 100);
setTimeout(() => reset('/about', finished), 200);
