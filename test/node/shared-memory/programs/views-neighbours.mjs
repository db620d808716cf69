// expect: ok
import { after, done, me, shared, start } from './lib/crew.mjs';

const bytes = new Uint8Array(shared);
const words = new Int32Array(shared);

function add(amount, meanwhile) {
  const before = bytes[5];
  meanwhile();
  bytes[5] = before + amount;
}

if (me === 0) {
  words[1] = 1;
  await start(import.meta.url);
  console.log(words[0], words[1]);
} else if (me === 1) {
  words[1]++;
  add(5, () => {
    done();
    after(2);
  });
} else {
  after(1);
  bytes[6] = 1;
  words[2]++;
  bytes[4] += 2;
  done();
}
