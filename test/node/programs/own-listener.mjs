// expect: ok
import { EventEmitter, once } from 'node:events';

async function wait(bus) {
  let status = 'open'; // a local variable of this call
  bus.on('data', () => {
    status = 'reading';
  }); // changed by this call's own listener
  await once(bus, 'end');
  return status;
}
const bus = new EventEmitter();
setTimeout(() => {
  bus.emit('data');
  bus.emit('end');
}, 1);
console.log(await wait(bus));
