// expect: ok
import { setTimeout as sleep } from 'node:timers/promises';

let _timer = null;
const batch = [];
function write(x) {
  batch.push(x);
  _timer ??= setTimeout(() => {
    _timer = null;
  }, 2);
}
async function producer(name) {
  for (let i = 0; i < 6; i++) {
    write(name);
    await sleep(1);
  }
}
await Promise.all([producer('a'), producer('b')]);
