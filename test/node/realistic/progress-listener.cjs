const _turn = () => new Promise((resolve) => setImmediate(resolve));
// A local variable that the call's own listener sets.
const { EventEmitter, once } = require('node:events');
async function run(bus, name) {
  let percent = 0;
  const listen = (p) => {
    percent = p;
  };
  bus.on('progress', listen);
  await once(bus, 'done');
  bus.off('progress', listen);
  return `${name} ${percent}`;
}
const bus = new EventEmitter();
setImmediate(() => {
  bus.emit('progress', 50);
  bus.emit('progress', 100);
  bus.emit('done');
});
module.exports = Promise.all([run(bus, 'a'), run(bus, 'b')]);
