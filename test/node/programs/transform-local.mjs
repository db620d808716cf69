// expect: ok
import { PassThrough, Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

async function store(readable) {
  // as @tus/file-store does
  let received = 0;
  const count = new Transform({
    transform(chunk, _, done) {
      received += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(readable, count, new Writable({ write: (_c, _e, d) => d() }));
  return received;
}
async function handle(body) {
  const proxy = new PassThrough();
  Readable.fromWeb(body).pipe(proxy); // as @tus/server does
  return store(proxy);
}
const bodies = [1, 2].map((i) => new Blob(['x'.repeat(i * 70000)]).stream());
console.log((await Promise.all(bodies.map(handle))).join());
