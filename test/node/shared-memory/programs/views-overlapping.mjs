// expect: violation add
import { after, done, me, shared, start } from './lib/crew.mjs';

const words = new Int32Array(shared);

function add(amount, meanwhile) {
  const before = words[1]; // (1)
  meanwhile();
  words[1] = before + amount; // (2)
}

if (me === 0) {
  await start(import.meta.url);
  console.log(words[1]);
} else if (me === 1) {
  add(5, () => {
    done();
    after(2);
  });
} else {
  after(1);
  new Uint8Array(shared)[6] = 1;
  done();
}
