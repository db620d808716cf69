// expect: ok
// The streams of a worker are its own if the program says so.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const worker = new Worker(new URL('./lib/echo.mjs', import.meta.url), {
  stdin: true,
  stdout: true,
  stderr: true,
});
const read = async (stream) => {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
};
const out = read(worker.stdout);
const err = read(worker.stderr);
worker.stdin.end('one\ntwo\n');
console.log(await once(worker, 'exit'), [await out, await err]);
