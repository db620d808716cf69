// expect: ok

import { once } from 'node:events';
import { PassThrough, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

async function parse(stream) {
  let last = null,
    state = 'start';
  const t = new Transform({
    transform(chunk, _, done) {
      last = chunk.toString().slice(-1);
      state = 'data';
      done();
    },
    flush(done) {
      state = 'end';
      done();
    },
  });
  await pipeline(stream, t, new Writable({ write: (_c, _e, d) => d() }));
  return last + state;
}
async function viaEvents(stream) {
  let body = '';
  let status = 'open';
  stream.on('data', (d) => {
    body += d;
    status = 'reading';
  });
  await once(stream, 'end');
  if (status !== 'reading') return 'empty';
  status = 'done';
  return body.length;
}
async function handle(f) {
  const proxy = new PassThrough();
  setTimeout(() => proxy.end('hello'), 1);
  return f(proxy);
}
console.log((await Promise.all([handle(parse), handle(parse), handle(viaEvents), handle(viaEvents)])).join());
