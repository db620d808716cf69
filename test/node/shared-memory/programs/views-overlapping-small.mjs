// expect: violation add
import { after, done, me, shared, start } from './lib/crew.mjs';

const bytes = new Uint8Array(shared);
const words = new BigInt64Array(shared);

function add(amount, meanwhile) {
  const before = bytes[11]; // (1)
  meanwhile();
  bytes[11] = before + amount; // (2)
}

if (me === 0) {
  words[1] = 1n;
  await start(import.meta.url);
  console.log(words[1]);
} else if (me === 1) {
  words[0] = 1n;
  add(5, () => {
    done();
    after(2);
  });
} else {
  after(1);
  words[1] = -1n;
  done();
}
