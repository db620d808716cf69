// expect: ok
// A folder that only one can make is a lock; who finds it there tries again, by timers, until it is its turn.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = path.join(os.tmpdir(), `lock-folder-${process.pid}`);
let done = 0;

function lock() {
  return new Promise((resolve) => {
    const attempt = () =>
      fs.mkdir(folder, (error) => {
        if (error) setTimeout(attempt, 1);
        else fs.utimes(folder, new Date(), new Date(), resolve);
      });
    attempt();
  });
}

async function work() {
  await lock();
  await null;
  done++;
  await fs.promises.rmdir(folder);
}

await Promise.all([work(), work(), work()]);
console.log(done);
