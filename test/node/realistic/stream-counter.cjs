const _turn = () => new Promise((resolve) => setImmediate(resolve));
// A counter of one call's own, changed by its own callback.
const { Transform, Readable, Writable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
async function store(chunks) {
  let received = 0;
  const count = new Transform({
    transform(chunk, _, done) {
      received += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(Readable.from(chunks), count, new Writable({ write: (_c, _e, d) => d() }));
  return received;
}
module.exports = Promise.all([store(['ab', 'c']), store(['d'])]);
