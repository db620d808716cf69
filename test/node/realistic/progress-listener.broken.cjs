// because: overwritten
const _turn = () => new Promise((resolve) => setImmediate(resolve));
// What is shown belongs to all.
const { EventEmitter, once } = require('node:events');
const view = { job: null };
async function run(bus, name) {
  view.job = { name };
  await once(bus, 'done');
  return view.job.name;
}
const bus = new EventEmitter();
setImmediate(() => bus.emit('done'));
module.exports = Promise.all([run(bus, 'a'), run(bus, 'b')]);
