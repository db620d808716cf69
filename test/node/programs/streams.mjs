// expect: ok
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

async function count(words) {
  let letters = 0;
  const lines = [];
  await pipeline(
    Readable.from(words),
    new Transform({
      objectMode: true,
      transform(word, _encoding, done) {
        letters += word.length;
        done(null, word.toUpperCase());
      },
    }),
    async function* (source) {
      for await (const word of source) yield `${word}\n`;
    },
    new Writable({
      objectMode: true,
      write(line, _encoding, done) {
        lines.push(line.trim());
        setImmediate(done);
      },
    }),
  );
  return { letters, lines };
}

console.log(await Promise.all([count(['a', 'bb']), count(['ccc'])]));
