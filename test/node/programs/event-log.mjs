// expect: ok
import { EventEmitter, on } from 'node:events';

const bus = new EventEmitter();
const log = [];

async function listen(limit) {
  let seen = 0;
  for await (const [message] of on(bus, 'message')) {
    log.push(message);
    if (++seen === limit) return seen;
  }
}

const listening = Promise.all([listen(2), listen(3)]);
for (const message of ['a', 'b', 'c']) {
  bus.emit('message', message);
  await null;
}
console.log(await listening, log.length);
