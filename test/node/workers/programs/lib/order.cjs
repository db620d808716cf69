const { parentPort } = require('node:worker_threads');

const order = [];
Promise.resolve().then(() => order.push('promise'));
process.nextTick(() => order.push('tick'));
setImmediate(() => {
  order.push('immediate');
  parentPort.postMessage([
    order.join(),
    require.main === module,
    module.parent === null,
    __filename.replace(/.*[\\/]/, ''),
    process.argv[1] === __filename,
    process.mainModule === module,
  ]);
});
