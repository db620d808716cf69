// expect: ok
import { Readable } from 'node:stream';

const state = { parts: 0 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function* body() {
  for (const part of ['b', 'c']) {
    state.parts++;
    await turn();
    yield part;
  }
  return 'body';
}

async function* message() {
  state.parts++;
  yield 'a';
  yield* new Blob(['blob']).stream();
  yield* ['x', 'y'];
  console.log(yield* body());
  state.parts++;
  yield 'd';
}

async function read() {
  const parts = [];
  for await (const part of Readable.from(message())) {
    state.parts++;
    parts.push(String(part));
  }
  return parts.join();
}

console.log(await Promise.all([read(), read()]), state.parts);

// A generator that is asked by what it has called itself.
let more;
async function* numbers() {
  for (let i = 0; i < 3; i++) {
    more = () => numbered.next().then(({ value }) => console.log(value, state.parts));
    setImmediate(() => {
      state.parts++;
      more();
    });
    await turn();
    state.parts++;
    yield i;
  }
}
const numbered = numbers();
await numbered.next();
await turn();
await turn();

const stream = Readable.from(message());
stream.on('readable', () => {
  for (let part = stream.read(); part !== null; part = stream.read()) {
    state.parts++;
    console.log(String(part));
  }
});
stream.on('end', () => console.log(state.parts));
