// expect: ok
// What a worker is given, it has, and nothing else.
import { once } from 'node:events';
import { getEnvironmentData, setEnvironmentData, Worker } from 'node:worker_threads';

setEnvironmentData('mine', { set: true });
const file = new URL('./lib/shows-options.mjs', import.meta.url);
const show = async (options) => {
  const worker = new Worker(file, options);
  const exit = once(worker, 'exit');
  const [shown] = await once(worker, 'message');
  const [code] = await exit;
  console.log(JSON.stringify(shown), code, worker.threadId, worker.constructor === Worker);
};
await show();
await show({ argv: ['a', 'b'], name: 'helper', workerData: { n: 1n.toString() } });
await show({
  env: { ONLY: 'this' },
  execArgv: ['--no-warnings'],
  resourceLimits: { maxOldGenerationSizeMb: 64 },
});
console.log(getEnvironmentData('mine'), process.execArgv);
console.log(Worker.name, Worker.length, String(Object.getOwnPropertyNames(Worker)));
try {
  new Worker('no-path.mjs');
} catch ({ name, code, message }) {
  console.log(name, code, message.split('\n')[0]);
}
try {
  new Worker(file, { execArgv: ['--max-old-space-size=100'] });
} catch ({ name, code, message }) {
  console.log(name, code, message);
}
